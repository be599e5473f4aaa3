// Object -> instance -> counter with live values; pressing a counter charts it.
import { signal, useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { allCountersOf, formatPath } from '../api/counter_path';
import type { CounterInfo, ObjectSummary } from '../api/types';
import { Icon } from '../components/icons';
import { details, hasEnded, instances, loadDetail, loadInstances } from '../model/counter_catalogue';
import { latestValues, watchLatest } from '../model/latest_poller';
import { toggleSeries, view } from '../model/view';
import { text } from '../text';
import { displayFor, valueText } from '../values/units';
import type { Hits } from './counter_search';

const words = text.counters;
const MOST_INSTANCES = 60;

/** The counter whose help is shown below the tree: the one pointed at or focused. */
export const explained = signal<{ object: string; counter: CounterInfo } | undefined>(undefined);

function CounterRow({ object, instance, counter }: { object: string; instance: string | null; counter: CounterInfo }) {
  // "*" as instance is the wildcard itself, all instances in one chart.
  const path = instance === '*' ? `${object}(*)/${formatPath({ object: 'x', instance: null, counter: counter.name }).slice(2)}`
    : formatPath({ object, instance, counter: counter.name });
  const chosen = view.value.series.includes(path);
  const latest = latestValues.value.get(path);
  const explain = () => (explained.value = { object, counter });
  return (
    <li>
      <button
        type="button" class="counter-row" aria-pressed={chosen} title={counter.help} onClick={() => toggleSeries(path)}
        onFocus={explain} onPointerEnter={explain}
      >
        <span class="tick" aria-hidden="true">{chosen && <Icon name="check" size={13} />}</span>
        <span class="counter-name">{counter.name}</span>
        {instance !== '*' && <span class="number live-value">{valueText(latest?.value, displayFor(counter.unit, object))}</span>}
      </button>
    </li>
  );
}

function Counters({ object, instance, only }: { object: string; instance: string | null; only: ReadonlySet<string> | undefined }) {
  const detail = details.value.get(object);
  useEffect(() => (instance === '*' ? undefined : watchLatest(allCountersOf(object, instance))), [object, instance]);
  if (!detail) return <p class="tree-note">{text.chart.loading}</p>;
  return (
    <ul class="tree-level">
      {detail.counters.filter((counter) => !only || only.has(counter.name)).map((counter) => (
        <CounterRow key={counter.name} object={object} instance={instance} counter={counter} />
      ))}
    </ul>
  );
}

function Disclosure({ open, onToggle, name, aside }: { open: boolean; onToggle: () => void; name: string; aside?: string | undefined }) {
  return (
    <button type="button" class="disclosure" aria-expanded={open} onClick={onToggle}>
      <Icon name="chevron" size={13} />
      <span class="disclosure-name">{name}</span>
      {aside && <span class="aside">{aside}</span>}
    </button>
  );
}

interface InstanceProps {
  object: string;
  instance: string;
  ended: boolean;
  only: ReadonlySet<string> | undefined;
  start: boolean;
}

function InstanceNode({ object, instance, ended, only, start }: InstanceProps) {
  const open = useSignal(start);
  return (
    <li class="instance">
      <Disclosure
        open={open.value} onToggle={() => (open.value = !open.value)}
        name={instance === '*' ? words.all : instance} aside={ended ? words.gone : undefined}
      />
      {open.value && <Counters object={object} instance={instance} only={only} />}
    </li>
  );
}

function Instances({ object, hits }: { object: string; hits: Hits | undefined }) {
  const filter = useSignal('');
  useEffect(() => {
    void loadInstances(object);
  }, [object]);
  const all = instances.value.get(object);
  if (!all) return <p class="tree-note">{text.chart.loading}</p>;
  const needle = filter.value.trim().toLowerCase();
  const named = hits && hits.instances.size > 0 && hits.counters.size === 0 ? all.filter((one) => hits.instances.has(one.name)) : all;
  const list = needle === '' ? named : named.filter((one) => one.name.toLowerCase().includes(needle));
  const newest = all.reduce((most, one) => Math.max(most, one.last ?? 0), 0);
  const only = hits && hits.counters.size > 0 ? hits.counters : undefined;
  return (
    <>
      {all.length > 12 && (
        <input
          class="instance-filter" placeholder={words.filterInstances} aria-label={`${words.filterInstances}: ${object}`}
          value={filter.value} onInput={(event) => (filter.value = event.currentTarget.value)}
        />
      )}
      <ul class="tree-level">
        {needle === '' && all.length > 1 && <InstanceNode object={object} instance="*" ended={false} only={only} start={only !== undefined} />}
        {list.slice(0, MOST_INSTANCES).map((one) => (
          <InstanceNode
            key={one.name} object={object} instance={one.name} ended={hasEnded(one, newest)} only={only}
            start={all.length === 1 || (only !== undefined && list.length <= 3)}
          />
        ))}
        {list.length > MOST_INSTANCES && <li class="tree-note">{words.more(list.length - MOST_INSTANCES)}</li>}
      </ul>
    </>
  );
}

export function ObjectNode({ object, hits, start }: { object: ObjectSummary; hits: Hits | undefined; start: boolean }) {
  const open = useSignal(start);
  const { name } = object;
  const detail = details.value.get(name);
  useEffect(() => {
    if (open.value) void loadDetail(name);
  }, [name, open.value]);
  const count = hits && hits.counters.size > 0 ? words.hits(hits.counters.size)
    : object.instances > 1 ? words.instances(object.instances) : words.count(object.counters);
  return (
    <li class="object">
      <Disclosure open={open.value} onToggle={() => (open.value = !open.value)} name={name} aside={count} />
      {open.value && (detail ? (
        detail.instanced ? <Instances object={name} hits={hits} />
          : <Counters object={name} instance={null} only={hits && hits.counters.size > 0 ? hits.counters : undefined} />
      ) : <p class="tree-note">{text.chart.loading}</p>)}
    </li>
  );
}
