// The frame around every page.
import { Banner } from './components/banner';
import { CursorVoice } from './components/cursor_voice';
import { HelpDialog } from './components/help_dialog';
import { PageLink } from './components/link';
import { Rail } from './components/rail';
import { TopBar } from './components/top_bar';
import { view } from './model/view';
import { CountersPage } from './pages/counters';
import { Overview } from './pages/overview';
import { StatusPage } from './pages/status';
import { text } from './text';

function Page({ path }: { path: string }) {
  switch (path) {
    case '/':
      return <Overview />;
    case '/counters':
      return <CountersPage />;
    case '/status':
      return <StatusPage />;
    default:
      return (
        <section class="card not-found">
          <h1>{text.notFound.title}</h1>
          <p>{text.notFound.body}</p>
          <p><PageLink path="/">{text.pages.overview}</PageLink></p>
        </section>
      );
  }
}

export function App() {
  const { path } = view.value;
  return (
    <>
      <a class="skip" href="#main">{text.skip}</a>
      <div class="shell">
        <Rail />
        <TopBar />
        <main id="main" tabIndex={-1}>
          <Banner />
          <Page key={path} path={path} />
        </main>
      </div>
      <HelpDialog />
      <CursorVoice />
    </>
  );
}
