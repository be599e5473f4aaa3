// The list of keys. A native dialog keeps the focus and closes with Esc.
import { useEffect, useRef } from 'preact/hooks';
import { text } from '../text';
import { Icon } from './icons';
import { helpOpen } from './top_bar';

export function HelpDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open) dialog.current?.showModal();
    else dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} class="help" aria-labelledby="help-title" onClose={() => (helpOpen.value = false)}>
      <header>
        <h2 id="help-title">{text.help.title}</h2>
        <button type="button" class="icon-button" aria-label={text.help.close} onClick={() => (helpOpen.value = false)}>
          <Icon name="close" />
        </button>
      </header>
      <dl>
        {Object.entries(text.help.keys).map(([keys, meaning]) => (
          <div key={keys}>
            <dt>{keys.split(' ').map((key) => <kbd key={key}>{key}</kbd>)}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <p>{text.help.mouse}</p>
    </dialog>
  );
}
