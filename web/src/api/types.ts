// What the server sends: field names as on the wire (snake_case), times in Unix seconds.

export interface CollectorStatus {
  name: string;
  state: string;
  reason?: string | null;
  fix?: string | null;
  duration_ms?: number | null;
  failures?: number | null;
}

export interface StoreStatus {
  bytes?: number | null;
  max_bytes?: number | null;
  wal_bytes?: number | null;
  oldest?: number | null;
  bytes_per_day?: number | null;
  days_left?: number | null;
}

export interface MissingRight {
  what: string;
  why?: string;
  command?: string;
}

export interface Status {
  version: string;
  host: string;
  zone?: string;
  collectors: CollectorStatus[];
  store: StoreStatus;
  self: Record<string, number | string | null>;
  missing_rights: MissingRight[];
  warnings?: string[];
}

export interface ObjectSummary {
  name: string;
  help: string;
  instances: number;
  counters: number;
}

export interface CounterInfo {
  name: string;
  help: string;
  unit: string;
  type: string;
}

export interface ObjectDetail {
  name: string;
  help: string;
  instanced: boolean;
  counters: CounterInfo[];
}

export interface InstanceInfo {
  name: string;
  first: number | null;
  last: number | null;
  live?: boolean; // it is there now
}

export interface LatestSeries {
  path: string;
  value: number | null;
  unit: string;
  time: number | null;
}

export interface Latest {
  time: number | null;
  series: LatestSeries[];
}

export interface Gap {
  from: number;
  to: number;
  reason: string;
}

export interface QuerySeries {
  path: string;
  object: string;
  instance: string | null;
  counter: string;
  unit: string;
  type: string;
  avg?: (number | null)[];
  min?: (number | null)[];
  max?: (number | null)[];
}

export interface QueryAnswer {
  from: number;
  to: number;
  step: number;
  tz: string;
  tier: string;
  time: number[];
  series: QuerySeries[];
  gaps: Gap[];
  warnings: string[];
}

export interface ProcessItem {
  name: string;
  pid: number;
  start: number;
  cpu: number | null;
  cpu_of_machine?: number | null;
  resident_bytes?: number | null;
  read_bytes_per_s?: number | null;
  write_bytes_per_s?: number | null;
  threads?: number | null;
}

export interface ProcessTable {
  time: number | null;
  items: ProcessItem[];
}

export interface Mark {
  id: number | string;
  time: number;
  kind: string;
  text: string;
}

/** RFC 9457, with `fix`: what the reader can do about it. `status` 0 means that no answer came at all. */
export interface Problem {
  type?: string;
  title: string;
  status: number;
  detail?: string;
  fix?: string;
  errors?: { parameter?: string; detail?: string; did_you_mean?: string }[];
}

export interface StreamSample {
  t: number;
  v: Record<string, number | null>;
}
