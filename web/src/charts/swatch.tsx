// A short piece of a series' line: colour and dash pattern together.
import { theme } from '../model/preferences';
import { shade, type Ink } from '../values/palette';

export function Swatch({ ink }: { ink: Ink }) {
  return (
    <svg class="swatch" width="16" height="10" viewBox="0 0 16 10" aria-hidden="true">
      <line
        x1="0" y1="5" x2="16" y2="5" stroke={shade(ink.slot, theme.value)} stroke-width={ink.dash.length > 0 ? 2.5 : 4}
        stroke-dasharray={ink.dash.join(' ')}
      />
    </svg>
  );
}
