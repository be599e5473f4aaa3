// The pages that exist. A new page is a line here and its component in app.tsx.
import type { IconName } from '../components/icons';
import { text } from '../text';

export const PAGES: readonly { path: string; icon: IconName; name: string }[] = [
  { path: '/', icon: 'overview', name: text.pages.overview },
  { path: '/counters', icon: 'counters', name: text.pages.counters },
  { path: '/status', icon: 'status', name: text.pages.status },
];
