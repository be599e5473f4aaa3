// Which objects, counters and instances a search finds: every word must occur somewhere.
import type { InstanceInfo, ObjectDetail, ObjectSummary } from '../api/types';

export interface Hits {
  counters: ReadonlySet<string>; // empty: the object itself or instances were hit
  instances: ReadonlySet<string>;
}

export function search(
  needle: string,
  objects: readonly ObjectSummary[],
  details: ReadonlyMap<string, ObjectDetail>,
  instances: ReadonlyMap<string, readonly InstanceInfo[]>,
): Map<string, Hits> {
  const words = needle.toLowerCase().split(/[\s()]+|\/(?!s\b)/).filter((word) => word !== '');
  const found = new Map<string, Hits>();
  if (words.length === 0) return found;
  const holds = (haystack: string) => {
    const lower = haystack.toLowerCase();
    return words.every((word) => lower.includes(word));
  };
  for (const object of objects) {
    const named = (details.get(object.name)?.counters ?? []).filter((counter) => holds(`${object.name} ${counter.name}`));
    // Words of the help text count only where no name fits: they would hit half of everything.
    const counters = named.length > 0 ? named
      : (details.get(object.name)?.counters ?? []).filter((counter) => holds(`${object.name} ${counter.name} ${counter.help}`));
    const hitInstances = (instances.get(object.name) ?? []).filter((one) => holds(`${object.name} ${one.name}`));
    const whole = holds(object.name);
    if (!whole && counters.length === 0 && hitInstances.length === 0) continue;
    found.set(object.name, {
      counters: new Set(whole || (hitInstances.length > 0 && named.length === 0) ? [] : counters.map((counter) => counter.name)),
      instances: new Set(whole ? [] : hitInstances.map((one) => one.name)),
    });
  }
  return found;
}
