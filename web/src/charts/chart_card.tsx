// A chart with its frame: title, headline, help, table twin, legend; and errors in the place where the picture would be.
import { useComputed, useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { Icon } from '../components/icons';
import { ProblemNote } from '../components/problem';
import { moment } from '../model/cursor';
import type { Feed } from '../model/feed';
import type { Frame } from '../model/frame';
import { showTables } from '../model/preferences';
import { text } from '../text';
import { duration } from '../time/time_format';
import { rowToRead, type ChartDefinition, type Picture } from './chart_model';
import { EmptyNote, hasValues } from './empty_note';
import { Legend } from './legend';
import { Plot } from './plot';
import { TableTwin } from './table_twin';

const nothingHidden: ReadonlySet<string> = new Set();

type MakePicture = ChartDefinition['picture'];

function Headline({ feed, make }: { feed: Feed; make: MakePicture }) {
  void feed.revision.value;
  const frame = feed.frame.value;
  if (!frame) return null;
  const { headline } = make(frame, rowToRead(frame, moment.value));
  return headline ? <span class="headline number">{headline}</span> : null;
}

/** How much time a point stands for, and whether it has a band. */
function Resolution({ feed, make, step }: { feed: Feed; make: MakePicture; step: number }) {
  const frame = feed.frame.value;
  const banded = frame && !make(frame, frame.time.length - 1).stacked;
  const words = duration(step);
  return (
    <span title={banded ? text.chart.bandHint(words) : undefined}>
      {banded ? text.chart.banded(words) : text.chart.bucket(words)}
    </span>
  );
}

function stateOf(feed: Feed, picture: (frame: Frame) => Picture): 'loading' | 'drawn' | 'empty' {
  void feed.revision.value;
  const frame = feed.frame.value;
  if (!frame) return 'loading';
  return hasValues(picture(frame)) ? 'drawn' : 'empty';
}

export function ChartCard({ feed, definition, class: extra = '' }: { feed: Feed; definition: ChartDefinition; class?: string }) {
  const hidden = useSignal<ReadonlySet<string>>(nothingHidden);
  const about = useSignal(false);
  const ownTable = useSignal(false);
  const asTable = ownTable.value !== showTables.value;
  const variant = useSignal(0);
  const make: MakePicture = definition.variants?.[variant.value]?.picture ?? definition.picture;
  // Plot, legend and note ask for the same picture at each tick.
  const picture = useMemo(() => {
    let known: { frame: Frame; revision: number; picture: Picture } | undefined;
    return (frame: Frame): Picture => {
      const revision = feed.revision.peek();
      if (known?.frame !== frame || known.revision !== revision) {
        known = { frame, revision, picture: make(frame, rowToRead(frame, undefined)) };
      }
      return known.picture;
    };
  }, [make, feed]);
  const problem = feed.problems.value.get(definition.id);
  const state = stateOf(feed, picture);
  const step = useComputed(() => feed.frame.value?.step ?? 1).value;
  const titleId = `${definition.id}-title`;
  return (
    <section class={`card chart ${extra}`} id={definition.id} tabIndex={-1} aria-labelledby={titleId}>
      <header class="card-head">
        <h2 id={titleId}>{definition.title}</h2>
        <Headline feed={feed} make={make} />
        <span class="note">
          {definition.variants ? (
            <span class="choices" role="group" aria-label={text.overview.look}>
              {definition.variants.map((one, index) => (
                <button type="button" key={one.id} aria-pressed={index === variant.value} onClick={() => (variant.value = index)}>
                  {one.label}
                </button>
              ))}
            </span>
          ) : step <= 1 && <span>{definition.note}</span>}
          {step > 1 && <Resolution feed={feed} make={make} step={step} />}
        </span>
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
            {state === 'loading' && <div class="empty">{text.chart.loading}</div>}
            {state === 'empty' && <EmptyNote feed={feed} frame={feed.frame.value!} picture={picture(feed.frame.value!)} />}
          </>
        )}
      </div>
      {!problem && <Legend feed={feed} picture={picture} hidden={hidden.value} onHide={(next) => (hidden.value = next)} />}
    </section>
  );
}
