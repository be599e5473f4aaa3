// How the program itself is doing: collectors, store, own cost, and what lack of rights costs.
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { Status } from '../api/types';
import { Icon } from '../components/icons';
import { refreshStatus, serverNow, status } from '../model/link';
import { live, zone } from '../model/view';
import { text } from '../text';
import { dateTime, duration } from '../time/time_format';
import { digits, displayFor, valueText } from '../values/units';

const words = text.status;
const BYTES = displayFor('bytes');
const EVERY_MS = 5000;

const GOOD = new Set(['ok', 'running']);
const QUIET = new Set(['starting', 'off', 'disabled', 'absent', 'unavailable', 'stopped']);

function State({ state }: { state: string }) {
  const tone = GOOD.has(state) ? 'good' : QUIET.has(state) ? 'calm' : 'bad';
  return (
    <span class={`state ${tone}`}>
      <Icon name={tone === 'good' ? 'check' : tone === 'bad' ? 'warning' : 'pause'} size={13} /> {words.states[state] ?? state}
    </span>
  );
}

function Collectors({ collectors }: { collectors: Status['collectors'] }) {
  return (
    <section class="card" aria-labelledby="collectors-title">
      <header class="card-head"><h2 id="collectors-title">{words.collectors}</h2></header>
      <div class="scroll-x" tabIndex={0} role="group" aria-labelledby="collectors-title">
        <table class="grid">
          <caption class="visually-hidden">{words.collectors}</caption>
          <thead>
            <tr>
              <th scope="col">{words.collector}</th>
              <th scope="col">{words.state}</th>
              <th scope="col" class="number">{words.cost}</th>
              <th scope="col" class="number">{words.failures}</th>
              <th scope="col">{words.reason}</th>
            </tr>
          </thead>
          <tbody>
            {collectors.map((collector) => (
              <tr key={collector.name}>
                <th scope="row">{collector.name}</th>
                <td><State state={collector.state} /></td>
                <td class="number">{typeof collector.duration_ms === 'number' ? `${digits(collector.duration_ms)} ms` : '–'}</td>
                <td class="number">{collector.failures ?? 0}</td>
                <td class="reason">{collector.reason ?? ''}{collector.fix && <code class="fix">{collector.fix}</code>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Fact({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return <div><dt>{name}</dt><dd class="number">{children}</dd></div>;
}

function Store({ store }: { store: Status['store'] }) {
  const share = store.bytes != null && store.max_bytes ? store.bytes / store.max_bytes : undefined;
  return (
    <section class="card" aria-labelledby="store-title">
      <header class="card-head"><h2 id="store-title">{words.store}</h2></header>
      {share !== undefined && (
        <div class="fill">
          <progress max={1} value={share} aria-label={words.used(`${digits(share * 100)} %`)} />
          <span class="number">{words.used(`${digits(share * 100)} %`)}</span>
        </div>
      )}
      <dl class="facts">
        <Fact name={words.bytes}>{valueText(store.bytes, BYTES)}</Fact>
        <Fact name={words.cap}>{store.max_bytes ? valueText(store.max_bytes, BYTES) : words.noCap}</Fact>
        <Fact name={words.wal}>{valueText(store.wal_bytes, BYTES)}</Fact>
        <Fact name={words.oldest}>
          {typeof store.oldest === 'number' ? `${dateTime(store.oldest, zone.value)} (${duration(serverNow() - store.oldest)})` : '–'}
        </Fact>
        <Fact name={words.perDay}>{valueText(store.bytes_per_day, BYTES)}</Fact>
        <Fact name={words.daysLeft}>{typeof store.days_left === 'number' ? digits(store.days_left) : words.daysLeftNever}</Fact>
      </dl>
    </section>
  );
}

/** Names of the program's own numbers say their unit at the end. */
function selfValue(name: string, value: number | string | null): string {
  if (value === null) return '–';
  if (typeof value === 'string') return value;
  if (/bytes_per_s/.test(name)) return valueText(value, displayFor('bytes/s'));
  if (/bytes/.test(name)) return valueText(value, BYTES);
  if (/_percent$|percent/.test(name) || name === 'cpu') return valueText(value, displayFor('%'));
  if (/_ms$/.test(name)) return `${digits(value)} ms`;
  if (/_us$/.test(name)) return valueText(value / 1e6, displayFor('s'));
  if (/_s$|seconds/.test(name)) return value >= 600 ? duration(value) : valueText(value, displayFor('s'));
  return valueText(value, displayFor(''));
}

const selfName = (name: string): string => {
  const plain = name.replace(/_(ms|us|s|percent|seconds)$/, '').replaceAll('_', ' ');
  return words.selfNames[name] ?? plain.charAt(0).toUpperCase() + plain.slice(1);
};

function Rights({ rights }: { rights: Status['missing_rights'] }) {
  const copied = useSignal('');
  const copy = async (command: string) => {
    try {
      await navigator.clipboard.writeText(command);
      copied.value = command;
    } catch {
      copied.value = ''; // the browser does not allow it; the command can be selected
    }
  };
  return (
    <section class="card" aria-labelledby="rights-title">
      <header class="card-head"><h2 id="rights-title">{words.rights}</h2></header>
      {rights.length === 0 ? <p class="fine"><Icon name="check" size={15} /> {words.rightsNone}</p> : (
        <ul class="rights">
          {rights.map((right) => (
            <li key={right.what}>
              <p class="right-what"><Icon name="warning" size={15} /> {right.what}</p>
              {right.why && <p class="note">{right.why}</p>}
              {right.command && (
                <div class="command">
                  <code>{right.command}</code>
                  <button type="button" class="quiet small" onClick={() => void copy(right.command!)}>
                    <Icon name={copied.value === right.command ? 'check' : 'copy'} size={13} />
                    {copied.value === right.command ? text.counters.copied : words.copy}
                  </button>
                </div>
              )}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

export function StatusPage() {
  useEffect(() => {
    void refreshStatus();
    const timer = setInterval(() => {
      if (!document.hidden && live.value) void refreshStatus();
    }, EVERY_MS);
    return () => clearInterval(timer);
  }, []);
  const shown = status.value;
  return (
    <div class="status">
      <h1 class="visually-hidden">{words.title}</h1>
      {!shown ? <section class="card"><div class="empty">{text.chart.loading}</div></section> : (
        <>
          <div class="status-main"><Collectors collectors={shown.collectors ?? []} /></div>
          <div class="status-side">
            <Store store={shown.store ?? {}} />
            <section class="card" aria-labelledby="self-title">
              <header class="card-head"><h2 id="self-title">{words.self}</h2></header>
              <dl class="facts">
                {Object.entries(shown.self ?? {}).map(([name, value]) => (
                  <Fact key={name} name={selfName(name)}>{selfValue(name, value)}</Fact>
                ))}
              </dl>
            </section>
            <Rights rights={shown.missing_rights ?? []} />
            <section class="card" aria-labelledby="program-title">
              <header class="card-head"><h2 id="program-title">{words.facts}</h2></header>
              <dl class="facts">
                <Fact name={words.version}>{shown.version}</Fact>
                <Fact name={words.host}>{shown.host}</Fact>
                <Fact name={words.zone}>{shown.zone ?? 'UTC'}</Fact>
              </dl>
              <p class="note"><a href="/docs">REST</a> · <a href="/licences.txt">{words.licences}</a></p>
            </section>
          </div>
        </>
      )}
    </div>
  );
}
