// A chart with its frame: title, headline, help, table twin, legend; and errors in the place where the picture would be.
import { useComputed, useSignal } from '@preact/signals';
import { useCallback } from 'preact/hooks';
import { Icon } from '../components/icons';
import { ProblemNote } from '../components/problem';
import { moment } from '../model/cursor';
import type { Feed } from '../model/feed';
import type { Frame } from '../model/frame';
import { showTables } from '../model/preferences';
import { text } from '../text';
import { duration } from '../time/time_format';
import { rowToRead, type ChartDefinition } from './chart_model';
import { EmptyNote, hasValues } from './empty_note';
import { Legend } from './legend';
import { Plot } from './plot';
import { TableTwin } from './table_twin';

const nothingHidden: ReadonlySet<string> = new Set();

function Headline({ feed, definition }: { feed: Feed; definition: ChartDefinition }) {
  void feed.revision.value;
  const frame = feed.frame.value;
  if (!frame) return null;
  const { headline } = definition.picture(frame, rowToRead(frame, moment.value));
  return headline ? <span class="headline number">{headline}</span> : null;
}

export function ChartCard({ feed, definition, class: extra = '' }: { feed: Feed; definition: ChartDefinition; class?: string }) {
  const hidden = useSignal<ReadonlySet<string>>(nothingHidden);
  const about = useSignal(false);
  const ownTable = useSignal(false);
  const asTable = ownTable.value !== showTables.value;
  const picture = useCallback((frame: Frame) => definition.picture(frame, rowToRead(frame, undefined)), [definition]);
  const problem = feed.problems.value.get(definition.id);
  const state = useComputed(() => {
    void feed.revision.value;
    const frame = feed.frame.value;
    if (!frame) return 'loading';
    return hasValues(picture(frame)) ? 'drawn' : 'empty';
  });
  const resolution = useComputed(() => {
    const step = feed.frame.value?.step ?? 1;
    return step > 1 ? text.chart.bucket(duration(step)) : '';
  });
  const titleId = `${definition.id}-title`;
  return (
    <section class={`card chart ${extra}`} id={definition.id} tabIndex={-1} aria-labelledby={titleId}>
      <header class="card-head">
        <h2 id={titleId}>{definition.title}</h2>
        <Headline feed={feed} definition={definition} />
        <span class="note">{definition.note}{resolution.value && `, ${resolution.value}`}</span>
        <button
          type="button" class="icon-button" aria-expanded={about.value} aria-label={`${text.chart.about}: ${definition.title}`}
          title={text.chart.about} onClick={() => (about.value = !about.value)}
        >
          <Icon name="info" size={15} />
        </button>
        <button
          type="button" class="icon-button" aria-pressed={asTable}
          aria-label={`${asTable ? text.chart.picture : text.chart.table}: ${definition.title}`}
          title={asTable ? text.chart.picture : text.chart.table} onClick={() => (ownTable.value = !ownTable.value)}
        >
          <Icon name={asTable ? 'chart' : 'table'} size={15} />
        </button>
      </header>
      {about.value && <p class="about">{definition.help}</p>}
      <div class="card-body">
        {problem ? <ProblemNote problem={problem} /> : asTable ? (
          <TableTwin feed={feed} title={definition.title} picture={picture} />
        ) : (
          <>
            <Plot feed={feed} label={definition.title} picture={picture} hidden={hidden.value} />
            {state.value === 'loading' && <div class="empty">{text.chart.loading}</div>}
            {state.value === 'empty' && <EmptyNote feed={feed} frame={feed.frame.value!} picture={picture(feed.frame.value!)} />}
          </>
        )}
      </div>
      {!problem && <Legend feed={feed} picture={picture} hidden={hidden.value} onHide={(next) => (hidden.value = next)} />}
    </section>
  );
}
