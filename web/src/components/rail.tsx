// The pages, at the left, or at the bottom of a phone. A page that does not exist yet is not shown.
import { view } from '../model/view';
import { PAGES } from '../pages/pages';
import { text } from '../text';
import { Icon } from './icons';
import { PageLink } from './link';

export function Rail() {
  return (
    <nav class="rail" aria-label={text.pagesLabel}>
      <span class="brand" aria-hidden="true">
        <svg width="26" height="26" viewBox="0 0 32 32">
          <rect width="32" height="32" rx="7" class="brand-ground" />
          <path d="M6 23V17M11 23V11M16 23V14M21 23V7M26 23V19" class="brand-bars" />
        </svg>
      </span>
      {PAGES.map(({ path, icon, name }) => (
        <PageLink key={path} path={path} current={view.value.path === path} class="rail-link">
          <Icon name={icon} size={20} />
          <span>{name}</span>
        </PageLink>
      ))}
    </nav>
  );
}
