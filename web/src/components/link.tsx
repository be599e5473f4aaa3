// A link inside the page: a real address for new tabs, no reload for plain clicks.
import type { ComponentChildren } from 'preact';
import { openPage, pageAddress } from '../model/view';

interface PageLinkProps {
  path: string;
  current?: boolean;
  class?: string;
  children: ComponentChildren;
}

export function PageLink({ path, current = false, class: extra, children }: PageLinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    if (!current) openPage(path);
  };
  return (
    <a href={pageAddress(path)} class={extra} aria-current={current ? 'page' : undefined} onClick={follow}>{children}</a>
  );
}
