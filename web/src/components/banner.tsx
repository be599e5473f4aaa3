// What concerns the whole page and does not go away by itself: the server is gone, the server warns, a bad address.
import { heartbeat, link, retry, status } from '../model/link';
import { view, zone } from '../model/view';
import { text } from '../text';
import { parseMoment } from '../time/range';
import { clock } from '../time/time_format';
import { Icon } from './icons';

export function Banner() {
  void heartbeat.value;
  const state = link.value;
  const { range } = view.value;
  const now = Date.now() / 1000;
  const bad = [range.from, range.to].some((edge) => typeof parseMoment(edge, now, zone.value) !== 'number');
  const warnings = status.value?.warnings ?? [];
  return (
    <div class="banners" aria-live="polite">
      {state.kind === 'lost' && (
        <div class="banner lost" role="status">
          <Icon name="warning" size={16} />
          <span>{text.lost(clock(state.since / 1000, zone.value), Math.max(0, Math.ceil((state.retryAt - Date.now()) / 1000)))}</span>
          <button type="button" class="quiet" onClick={() => retry.value?.()}>{text.retry}</button>
        </div>
      )}
      {bad && <div class="banner"><Icon name="warning" size={16} /> <span>{text.picker.badRange}</span></div>}
      {warnings.map((warning) => (
        <div class="banner" key={warning}><Icon name="warning" size={16} /> <span><b>{text.warningTitle}:</b> {warning}</span></div>
      ))}
    </div>
  );
}
