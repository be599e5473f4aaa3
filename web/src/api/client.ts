// Requests to the server this page came from. Every failure becomes a `ProblemError`.
import type {
  InstanceInfo, Latest, Mark, ObjectDetail, ObjectSummary, Problem, ProcessTable, QueryAnswer, Status,
} from './types';

export const BASE = '/api/v1';

export class ProblemError extends Error {
  constructor(readonly problem: Problem) {
    super(problem.title);
  }

  /** No answer at all: the server is gone or the network is. */
  get unreachable(): boolean {
    return this.problem.status === 0;
  }
}

type Parameter = string | number | readonly string[] | undefined;

/** Query string; lists become repeated parameters. Slashes and parentheses stay readable. */
export function queryString(parameters: Record<string, Parameter>): string {
  const parts: string[] = [];
  for (const [name, value] of Object.entries(parameters)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      parts.push(`${name}=${encodeParameter(String(one))}`);
    }
  }
  return parts.length > 0 ? `?${parts.join('&')}` : '';
}

export function encodeParameter(text: string): string {
  return encodeURIComponent(text).replace(/%2F/g, '/').replace(/%3A/g, ':').replace(/%40/g, '@').replace(/%20/g, '+');
}

async function readProblem(response: Response): Promise<Problem> {
  const fallback: Problem = { title: response.statusText || `HTTP ${response.status}`, status: response.status };
  if (!(response.headers.get('content-type') ?? '').includes('json')) return fallback;
  try {
    const body = (await response.json()) as Partial<Problem>;
    return { ...fallback, ...body, status: response.status };
  } catch {
    return fallback;
  }
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  let response: Response;
  try {
    response = await fetch(BASE + path, { signal: signal ?? null, headers: { accept: 'application/json' } });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ProblemError({ title: 'unreachable', status: 0 });
  }
  if (!response.ok) throw new ProblemError(await readProblem(response));
  try {
    return (await response.json()) as T;
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new ProblemError({ title: 'unreachable', status: 0 });
  }
}

export interface QueryRequest {
  series: readonly string[];
  from: string;
  to: string;
  points?: number;
  step?: string;
}

export const fetchStatus = (signal?: AbortSignal) => getJson<Status>('/status', signal);

export const fetchQuery = (request: QueryRequest, signal?: AbortSignal) =>
  getJson<QueryAnswer>(`/query${queryString({
    series: request.series, from: request.from, to: request.to, points: request.points, step: request.step,
    agg: 'avg,min,max',
  })}`, signal);

export const fetchLatest = (series: readonly string[], signal?: AbortSignal) =>
  getJson<Latest>(`/latest${queryString({ series })}`, signal);

export const fetchProcesses = (at: string | undefined, limit: number, signal?: AbortSignal) =>
  getJson<ProcessTable>(`/processes${queryString({ at, sort: 'cpu', limit })}`, signal);

export const fetchMarks = async (from: string, to: string, signal?: AbortSignal): Promise<Mark[]> =>
  (await getJson<{ marks: Mark[] }>(`/marks${queryString({ from, to })}`, signal)).marks;

export const fetchObjects = async (signal?: AbortSignal): Promise<ObjectSummary[]> =>
  (await getJson<{ objects: ObjectSummary[] }>('/objects', signal)).objects;

export const fetchObject = (name: string, signal?: AbortSignal) =>
  getJson<ObjectDetail>(`/objects/${encodeURIComponent(name)}`, signal);

const MOST_PAGES = 5;

/** Instances of the last hour, as many as a list can show. */
export async function fetchInstances(name: string, signal?: AbortSignal): Promise<InstanceInfo[]> {
  const all: InstanceInfo[] = [];
  let cursor: string | undefined;
  for (let page = 0; page < MOST_PAGES; page += 1) {
    const path = `/objects/${encodeURIComponent(name)}/instances${queryString({ limit: 1000, cursor })}`;
    const answer = await getJson<{ instances: InstanceInfo[]; next?: string | null }>(path, signal);
    all.push(...answer.instances);
    // The next page is told as its cursor or as its address.
    cursor = answer.next ? (/[?&]cursor=([^&]+)/.exec(answer.next)?.[1] ?? answer.next) : undefined;
    if (!cursor) break;
    cursor = decodeURIComponent(cursor);
  }
  return all;
}

export const streamUrl = (series: readonly string[]): string => `${BASE}/stream${queryString({ series })}`;
