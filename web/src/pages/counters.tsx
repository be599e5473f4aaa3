// Every counter of the machine: searchable, explained, charted.
import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo } from 'preact/hooks';
import { ChartCard } from '../charts/chart_card';
import { inked, topAndOther, type ChartDefinition } from '../charts/chart_model';
import { MarksStrip } from '../charts/marks_strip';
import { Icon } from '../components/icons';
import { ProblemNote } from '../components/problem';
import { catalogueProblem, details, instances, loadForSearch, loadObjects, objects } from '../model/counter_catalogue';
import { Feed } from '../model/feed';
import type { Column, Frame } from '../model/frame';
import { resumeLatest } from '../model/latest_poller';
import { shownFeed } from '../model/shown_window';
import { live, toggleSeries, view } from '../model/view';
import { text } from '../text';
import { displayFor, type Display } from '../values/units';
import { search } from './counter_search';
import { ObjectNode, explained } from './counter_tree';
import { SeriesTable } from './series_table';

const words = text.counters;
const SUGGESTED = ['cpu(total)/busy', 'memory/used', 'process(*)/cpu', 'network(*)/received bytes/s', 'system/context switches/s'];
const FROM_ZERO: ReadonlySet<Display['kind']> = new Set(['percent', 'byteRate', 'bitRate', 'rate', 'seconds']);

const keyOf = (column: Column): string => {
  const display = displayFor(column.unit, column.object);
  return display.kind === 'percent' ? 'percent' : `${display.kind} ${display.suffix}`;
};

function displayOf(frame: Frame, key: string): Display {
  for (const column of frame.columns.values()) if (keyOf(column) === key) return displayFor(column.unit, column.object);
  return displayFor('');
}

/** One chart for each unit: numbers of one kind share an axis, others do not. */
function definitionFor(key: string, title: string, display: Display): ChartDefinition {
  const columns = (frame: Frame) => [...frame.columns.values()].filter((column) => keyOf(column) === key);
  return {
    id: `unit-${key.replace(/[^a-z0-9]+/gi, '-')}`,
    title, note: '', help: words.chartHelp, series: [],
    picture: (frame) => ({
      lines: inked(topAndOther(columns(frame).map((column) => ({ label: column.path, column })), text.chart.other)),
      display, stacked: false, fromZero: FROM_ZERO.has(display.kind),
    }),
  };
}

function Charts({ feed }: { feed: Feed }) {
  void feed.revision.value;
  const known = useMemo(() => new Map<string, ChartDefinition>(), []);
  const frame = feed.frame.value;
  const keys = new Map<string, Set<string>>(); // unit -> what is drawn in it
  for (const column of frame?.columns.values() ?? []) {
    const key = keyOf(column);
    keys.set(key, (keys.get(key) ?? new Set()).add(`${column.object} ${column.counter}`));
  }
  const definition = (key: string, subjects: ReadonlySet<string>): ChartDefinition => {
    const display = displayOf(frame!, key);
    const title = subjects.size <= 2 ? [...subjects].join(', ') : display.kind === 'percent' ? '%' : display.suffix || words.noUnit;
    const made = known.get(key + title) ?? definitionFor(key, title, display);
    known.set(key + title, made);
    return made;
  };
  return (
    <>
      {[...feed.problems.value].map(([path, problem]) => (
        <section class="card" key={path}><h2 class="path">{path}</h2><ProblemNote problem={problem} /></section>
      ))}
      {!frame && feed.problems.value.size === 0 && <section class="card chart"><div class="empty">{text.chart.loading}</div></section>}
      {frame && keys.size === 0 && feed.problems.value.size === 0 && (
        <section class="card"><div class="empty">{frame.gaps[0]?.reason ?? text.chart.holdsNothing}</div></section>
      )}
      {[...keys].map(([key, subjects]) => <ChartCard key={key} feed={feed} definition={definition(key, subjects)} class="wide" />)}
    </>
  );
}

function Tree() {
  const needle = useSignal('');
  const list = objects.value;
  const hits = needle.value.trim() === '' ? undefined : search(needle.value, list ?? [], details.value, instances.value);
  const shown = hits ? list?.filter((object) => hits.has(object.name)) : list;
  const opened = new Set(view.value.series.map((path) => path.split(/[(/]/)[0]));
  const about = explained.value;
  return (
    <section class="card tree" aria-label={words.tree}>
      <label class="search">
        <Icon name="search" size={16} />
        <input
          type="search" aria-label={words.search} placeholder={words.searchHint} value={needle.value}
          onFocus={() => void loadForSearch()} onInput={(event) => (needle.value = event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') event.currentTarget.blur();
          }}
        />
      </label>
      <div class="tree-scroll" tabIndex={0} role="group" aria-label={words.tree}>
        {catalogueProblem.value && !list && <ProblemNote problem={catalogueProblem.value} />}
        {!list && !catalogueProblem.value && <p class="tree-note">{text.chart.loading}</p>}
        {hits?.size === 0 && <p class="tree-note">{words.noHit(needle.value)}</p>}
        <ul class="tree-level top">
          {shown?.map((object) => (
            <ObjectNode
              key={`${object.name} ${hits ? needle.value : ''}`} object={object} hits={hits?.get(object.name)}
              start={hits ? hits.size <= 4 : opened.has(object.name)}
            />
          ))}
        </ul>
      </div>
      {about && (
        <div class="explained">
          <p class="path">{about.object} / {about.counter.name}</p>
          <p>{about.counter.help}</p>
          <p class="note">{words.unit}: {about.counter.unit || words.noUnit} · {words.type}: {about.counter.type}</p>
        </div>
      )}
    </section>
  );
}

export function CountersPage() {
  const feed = useMemo(() => new Feed(view.peek().series.map((path) => ({ id: path, series: [path] }))), []);
  useLayoutEffect(() => {
    void loadObjects();
    feed.start();
    shownFeed.value = feed;
    return () => {
      feed.stop();
      shownFeed.value = undefined;
    };
  }, [feed]);
  const { series } = view.value;
  useEffect(() => feed.setGroups(series.map((path) => ({ id: path, series: [path] }))), [series.join('\n')]);
  useEffect(() => {
    if (live.value) resumeLatest();
  }, [live.value]);
  return (
    <div class="counters">
      <h1 class="visually-hidden">{words.title}</h1>
      <Tree />
      <div class="board">
        {series.length === 0 ? (
          <section class="card board-empty">
            <p>{words.chosenNone}</p>
            <p class="field-label">{words.suggestions}</p>
            <div class="suggestions">
              {SUGGESTED.map((path) => (
                <button type="button" key={path} onClick={() => toggleSeries(path)}><Icon name="plus" size={13} /> {path}</button>
              ))}
            </div>
          </section>
        ) : (
          <>
            <MarksStrip feed={feed} />
            <Charts feed={feed} />
            <SeriesTable feed={feed} />
          </>
        )}
      </div>
    </div>
  );
}
