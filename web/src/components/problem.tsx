// What went wrong, in the place where the data would be: title, detail and what helps.
import type { Problem } from '../api/types';
import { text } from '../text';
import { Icon } from './icons';

export function ProblemNote({ problem }: { problem: Problem }) {
  const shown = problem.status === 0 ? { ...problem, ...text.unreachable } : problem;
  return (
    <div class="problem" role="alert">
      <div class="problem-title"><Icon name="warning" /> {shown.title}</div>
      {shown.detail && <p>{shown.detail}</p>}
      {shown.errors?.map((error) => (
        <p key={`${error.parameter} ${error.detail}`}>
          {error.detail} {error.did_you_mean && text.didYouMean(error.did_you_mean)}
        </p>
      ))}
      {shown.fix && <p class="problem-fix"><b>{text.fix}:</b> {shown.fix}</p>}
    </div>
  );
}
