// Starts the page.
import { effect } from '@preact/signals';
import { render } from 'preact';
import 'uplot/dist/uPlot.min.css';
import './styles/tokens.css';
import './styles/base.css';
import './styles/shell.css';
import './styles/charts.css';
import './styles/pages.css';
import { App } from './app';
import { startKeys } from './components/keys';
import { startLink, status } from './model/link';
import { applyTheme } from './model/preferences';
import { startView, view } from './model/view';
import { PAGES } from './pages/pages';
import { language, text } from './text';

document.documentElement.lang = language;
applyTheme();
startView();
startLink();
startKeys();
effect(() => {
  const page = PAGES.find(({ path }) => path === view.value.path)?.name ?? text.notFound.title;
  const host = status.value?.host;
  document.title = host ? `${host} · ${page} · ${text.product}` : `${page} · ${text.product}`;
});
render(<App />, document.getElementById('app')!);
