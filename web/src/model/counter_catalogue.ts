// Objects, their counters and their instances, fetched when somebody opens or searches them.
import { signal } from '@preact/signals';
import { ProblemError, fetchInstances, fetchObject, fetchObjects } from '../api/client';
import type { InstanceInfo, ObjectDetail, ObjectSummary, Problem } from '../api/types';

export const objects = signal<readonly ObjectSummary[] | undefined>(undefined);
export const details = signal<ReadonlyMap<string, ObjectDetail>>(new Map());
export const instances = signal<ReadonlyMap<string, readonly InstanceInfo[]>>(new Map());
export const catalogueProblem = signal<Problem | undefined>(undefined);

const asked = new Map<string, Promise<void>>();

/** Asks once; whoever comes later waits for the same answer. A failure may be asked again. */
function guarded(key: string, work: () => Promise<void>): Promise<void> {
  const known = asked.get(key);
  if (known) return known;
  const asking = work().catch((error: unknown) => {
    asked.delete(key);
    if (error instanceof ProblemError) catalogueProblem.value = error.problem;
  });
  asked.set(key, asking);
  return asking;
}

export const loadObjects = (): Promise<void> =>
  guarded('objects', async () => {
    objects.value = await fetchObjects();
    catalogueProblem.value = undefined;
  });

export const loadDetail = (name: string): Promise<void> =>
  guarded(`detail ${name}`, async () => {
    const detail = await fetchObject(name);
    details.value = new Map(details.value).set(name, detail);
  });

/** `newest`: when the last of its object was seen. */
export const hasEnded = (one: InstanceInfo, newest: number): boolean =>
  one.live === undefined ? (one.last ?? newest) < newest - 60 : !one.live;

export async function loadInstances(name: string): Promise<void> {
  try {
    const list = await fetchInstances(name);
    // Living ones first, in the order of names; those that ended follow, newest first.
    const newest = list.reduce((most, one) => Math.max(most, one.last ?? 0), 0);
    const alive = (one: InstanceInfo) => !hasEnded(one, newest);
    const collator = new Intl.Collator(undefined, { numeric: true });
    const sorted = [...list].sort((a, b) => {
      if (alive(a) !== alive(b)) return alive(a) ? -1 : 1;
      return alive(a) ? collator.compare(a.name, b.name) : (b.last ?? 0) - (a.last ?? 0);
    });
    instances.value = new Map(instances.value).set(name, sorted);
  } catch (error) {
    if (error instanceof ProblemError) catalogueProblem.value = error.problem;
  }
}

const SEARCHABLE_INSTANCES = 500;

/** Everything that a search looks through. */
export async function loadForSearch(): Promise<void> {
  await loadObjects();
  await Promise.all((objects.value ?? []).flatMap((object) => [
    loadDetail(object.name),
    ...(object.instances > 1 && object.instances <= SEARCHABLE_INSTANCES && !instances.value.has(object.name)
      ? [loadInstances(object.name)] : []),
  ]));
}
