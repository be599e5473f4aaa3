// The whole machine on one screen.
import { useLayoutEffect, useMemo } from 'preact/hooks';
import { ChartCard } from '../charts/chart_card';
import { MarksStrip } from '../charts/marks_strip';
import { Feed } from '../model/feed';
import { shownFeed } from '../model/shown_window';
import { text } from '../text';
import { OVERVIEW_CHARTS } from './overview_charts';
import { ProcessPanel, useProcesses } from './process_panel';
import { Verdict } from './verdict';

export function Overview() {
  const feed = useMemo(() => new Feed(OVERVIEW_CHARTS.map(({ id, series }) => ({ id, series }))), []);
  const processes = useProcesses(feed);
  useLayoutEffect(() => {
    feed.start();
    shownFeed.value = feed;
    return () => {
      feed.stop();
      shownFeed.value = undefined;
    };
  }, [feed]);
  return (
    <div class="overview">
      <h1 class="visually-hidden">{text.overview.title}</h1>
      <Verdict feed={feed} processes={processes} />
      <MarksStrip feed={feed} />
      <div class="overview-body">
        <div class="charts">
          {OVERVIEW_CHARTS.map((definition) => <ChartCard key={definition.id} feed={feed} definition={definition} />)}
        </div>
        <ProcessPanel processes={processes} />
      </div>
    </div>
  );
}

