// A made-up machine for browser tests: its counters are functions of time, so that every request agrees with every other.

const wave = (t, period, phase = 0) => 0.5 + 0.5 * Math.sin((2 * Math.PI * t) / period + phase);
const noise = (t, seed) => {
  const x = Math.sin(t * 12.9898 + seed * 78.233) * 43758.5453;
  return x - Math.floor(x);
};
const burst = (t) => (t % 240 > 150 && t % 240 < 172 ? 1 : 0);

const system = (t) => 3 + 3 * wave(t, 70) + 2 * noise(t, 1) + 6 * burst(t);
const user = (t) => 9 + 12 * wave(t, 95, 1) + 5 * noise(t, 2) + 38 * burst(t);
const nice = (t) => 1 + noise(t, 3);
const softirq = (t) => 0.3 + 0.4 * noise(t, 4);
const steal = (t) => 0.2 * noise(t, 5);
const iowait = (t) => 1 + 2 * noise(t, 6) + 5 * burst(t + 8);
const GiB = 2 ** 30;

const percent = { unit: '%', type: 'sample_fraction' };
const bytes = { unit: 'bytes', type: 'large_raw_count' };
const rate = { unit: 'bytes/s', type: 'bulk_count' };
const seconds = { unit: 's', type: 'average_timer' };
const plain = { unit: '', type: 'large_raw_count' };

/** object -> { help, instances (undefined: none), counters: name -> { unit, type, help, value(t, instance) } } */
export const MACHINE = {
  cpu: {
    help: 'How the time of the CPUs is spent.', instances: ['total', '0', '1', '3'],
    counters: {
      busy: { ...percent, help: 'Share of time in which the CPU was not idle. Source: /proc/stat.', value: (t) => system(t) + user(t) + nice(t) + softirq(t) + steal(t) },
      user: { ...percent, help: 'Share of time in programs, without guests.', value: user },
      nice: { ...percent, help: 'Share of time in programs of lowered priority.', value: nice },
      system: { ...percent, help: 'Share of time in the kernel.', value: system },
      iowait: { ...percent, help: 'Idle while a disk was waited for. A hint, no measure.', value: iowait },
      irq: { ...percent, help: 'Hardware interrupts.', value: () => 0 },
      softirq: { ...percent, help: 'Soft interrupts.', value: softirq },
      steal: { ...percent, help: 'Taken by the hypervisor.', value: steal },
    },
  },
  memory: {
    help: 'Memory of the machine.',
    counters: {
      total: { ...bytes, help: 'Memory the kernel can use. Source: /proc/meminfo, MemTotal.', value: () => 15.5 * GiB },
      used: { ...bytes, help: 'total - available.', value: (t) => (6.1 + 0.8 * wave(t, 400) + 0.9 * burst(t)) * GiB },
      available: { ...bytes, help: 'What programs could still take.', value: (t) => (9.4 - 0.8 * wave(t, 400) - 0.9 * burst(t)) * GiB },
      cached: { ...bytes, help: 'Contents of files kept in memory.', value: (t) => (4.2 + 0.1 * wave(t, 300, 2)) * GiB },
      buffers: { ...bytes, help: 'Cached blocks of devices.', value: () => 0.35 * GiB },
    },
  },
  swap: { help: 'Swap.', counters: { used: { ...bytes, help: 'Swap in use.', value: () => 0.12 * GiB } } },
  disk: {
    help: 'Block devices and their partitions.', instances: ['nvme0n1', 'nvme0n1p1', 'nvme0n1p2', 'loop0'],
    counters: {
      'read bytes/s': { ...rate, help: 'Bytes read. Source: /proc/diskstats.', value: (t) => 2e5 * noise(t, 7) + 4.8e7 * burst(t) * (0.6 + 0.4 * noise(t, 8)) },
      'write bytes/s': { ...rate, help: 'Bytes written.', value: (t) => 8e6 * noise(t, 9) ** 6 + 3e5 + 1.5e7 * burst(t + 8) },
      'seconds per read': { ...seconds, help: 'How long a read took on average.', value: (t) => (noise(t, 10) < 0.3 ? null : 0.0002 + 0.0009 * noise(t, 11) + 0.004 * burst(t)) },
      'seconds per write': { ...seconds, help: 'How long a write took on average.', value: (t) => 0.0008 + 0.0016 * noise(t, 12) },
      'busy %': { ...percent, help: 'Share of time with a request under way.', value: (t) => 2 + 60 * burst(t) },
    },
  },
  network: {
    help: 'Network interfaces.', instances: ['lo', 'eth0', 'wlan0'],
    counters: {
      'received bytes/s': { ...rate, help: 'Bytes received. Source: /proc/net/dev.', value: (t, name) => (name === 'eth0' ? 3.1e5 * wave(t, 60) + 9e4 * noise(t, 13) : 1200 * noise(t, 14)) },
      'sent bytes/s': { ...rate, help: 'Bytes sent.', value: (t, name) => (name === 'eth0' ? 9e4 * wave(t, 80, 2) + 2e4 * noise(t, 15) : 700 * noise(t, 16)) },
    },
  },
  load: { help: 'Load averages.', counters: { '1 min': { ...plain, help: 'Load average over one minute.', value: (t) => 0.7 + 0.5 * wave(t, 240) } } },
  pressure: {
    help: 'Pressure stall information.', instances: ['cpu', 'memory', 'io'],
    counters: {
      some: { ...percent, help: 'At least one task waited.', value: (t, name) => (name === 'cpu' ? 1 + 2 * noise(t, 17) + 22 * burst(t) : name === 'io' ? 0.6 * noise(t, 18) + 9 * burst(t) : 0) },
      full: { ...percent, help: 'All tasks waited.', value: (t, name) => (name === 'io' ? 0.2 * noise(t, 19) + 4 * burst(t) : 0) },
    },
  },
  system: {
    help: 'The system as a whole.',
    counters: {
      running: { ...plain, help: 'Tasks that run or want to.', value: (t) => 1 + Math.floor(3 * noise(t, 20) ** 2) + 5 * burst(t) },
      blocked: { ...plain, help: 'Tasks in uninterruptible sleep.', value: (t) => (burst(t) ? 2 : 0) },
      'context switches/s': { unit: '1/s', type: 'bulk_count', help: 'Switches between tasks.', value: (t) => 3200 + 900 * wave(t, 50) },
    },
  },
  process: {
    help: 'Every process of the machine.',
    instances: ['postgres:812@1764500000', 'chrome:2210@1764501234', 'a) S 1 (b:77@1764500500', '<img src=x onerror=alert(1)>:99@1764500600',
      ...Array.from({ length: 80 }, (_, index) => `worker-${index}:${3000 + index}@1764500700`)],
    counters: {
      cpu: { unit: '% of one CPU', type: 'timer', help: 'CPU time in percent of one CPU.', value: (t, name) => (name.startsWith('postgres') ? 12 + 70 * burst(t) : 3 * noise(t, name.length)) },
      'resident bytes': { ...bytes, help: 'Resident set size.', value: (t, name) => (20 + name.length) * 2 ** 20 },
    },
  },
};

/** Value of one counter in the second that ends at t; null where there is none. */
export function valueOf(object, instance, counter, t) {
  const value = MACHINE[object].counters[counter].value(Math.floor(t), instance ?? '');
  return value === null ? null : Number(value.toPrecision(7));
}

const pathOf = (object, instance, counter) =>
  `${object}${instance === undefined ? '' : `(${instance.replace(/\)(?=[/\\])|\*|%(?=[0-9a-f]{2})/gi, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)})`}/${counter}`;

const matcher = (pattern) => new RegExp(`^${pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('.*')}$`);

/** Every series that a path or pattern stands for; a string says why there is none. */
export function expand(pattern) {
  const match = /^([^()/\\]+)(?:\(([^]*?)\)(?=[/\\]))?[/\\]([^]+)$/.exec(pattern);
  const object = match && MACHINE[match[1]];
  if (!object) return `There is no object '${match?.[1] ?? pattern}'.`;
  const decode = (text) => text.replace(/%([0-9a-fA-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  const counters = Object.keys(object.counters).filter((name) => matcher(match[3]).test(name));
  if (counters.length === 0) return `'${match[1]}' has no counter '${match[3]}'.`;
  const wanted = match[2];
  const instances = object.instances === undefined ? [undefined]
    : object.instances.filter((name) => (wanted?.includes('*') ? matcher(decode(wanted)).test(name) : name === decode(wanted ?? '')));
  return instances.flatMap((instance) => counters.map((counter) => {
    const { unit, type } = object.counters[counter];
    return { path: pathOf(match[1], instance, counter), object: match[1], instance: instance ?? null, counter, unit, type };
  }));
}

export function processesAt(t, limit) {
  const items = MACHINE.process.instances.map((instance) => {
    const [, name, pid, start] = /^(.*):(\d+)@(\d+)$/.exec(instance);
    const cpu = valueOf('process', instance, 'cpu', t);
    return {
      name, pid: Number(pid), start: Number(start), cpu, cpu_of_machine: cpu / 4,
      resident_bytes: valueOf('process', instance, 'resident bytes', t), read_bytes_per_s: name === 'chrome' ? null : 12000 * noise(t, 31),
      write_bytes_per_s: name === 'chrome' ? null : 4000, threads: 4,
    };
  });
  return items.sort((a, b) => b.cpu - a.cpu).slice(0, limit);
}
