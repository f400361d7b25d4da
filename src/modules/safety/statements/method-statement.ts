import { json } from '#kernel/fields.ts'
import { toText } from '#kernel/text.ts'
import type { RecordsReader } from '#modules/documents/types/kind.ts'
import { standardStatement } from './statement.ts'

/** Statement or task as copied into a document. */
export interface LibrarySnapshot {
  readonly '@id': string
  readonly title: string
  readonly text: string
}

export const toLibrarySnapshot = (s: { readonly [K in keyof LibrarySnapshot]?: unknown }): LibrarySnapshot => ({
  '@id': toText(s['@id']),
  title: toText(s.title),
  text: toText(s.text),
})

/**
 * Field `{defaultStatements, nonDefaultStatements, taskSelection}`. Each value is a list of `{"@id", title, text}`,
 * copied from the library when chosen.
 */
export const methodStatementField = json({ inJson: 'content' })

/** Statements and tasks of a document, copied from the library. */
export interface MethodStatement {
  readonly defaultStatements: readonly LibrarySnapshot[]
  readonly nonDefaultStatements: readonly LibrarySnapshot[]
  /** Tasks in the order of work: sorted by title until the author moves one. */
  readonly taskSelection: readonly LibrarySnapshot[]
}

export const METHOD_STATEMENT_LISTS = ['defaultStatements', 'nonDefaultStatements', 'taskSelection'] as const

export const EMPTY_METHOD_STATEMENT: MethodStatement = {
  defaultStatements: [],
  nonDefaultStatements: [],
  taskSelection: [],
}

const list = (value: unknown): readonly LibrarySnapshot[] => (Array.isArray(value) ? (value as LibrarySnapshot[]) : [])

/** Parses a stored method statement. Missing lists become empty. */
export function parseMethodStatement(value: unknown): MethodStatement {
  const m = (value ?? {}) as Partial<Record<keyof MethodStatement, unknown>>
  return {
    defaultStatements: list(m.defaultStatements),
    nonDefaultStatements: list(m.nonDefaultStatements),
    taskSelection: list(m.taskSelection),
  }
}

/** Returns a document's statements, default statements first. */
export const statementsInMethodStatement = ({
  defaultStatements,
  nonDefaultStatements,
}: MethodStatement): readonly LibrarySnapshot[] => [...defaultStatements, ...nonDefaultStatements]

export const sortLibrarySnapshotsByTitle = (all: readonly LibrarySnapshot[]): LibrarySnapshot[] =>
  [...all].sort((a, b) => a.title.localeCompare(b.title, 'en-GB'))

const isSortedByTitle = (all: readonly LibrarySnapshot[]): boolean =>
  sortLibrarySnapshotsByTitle(all).every((one, i) => one === all[i])

/**
 * Returns the chosen tasks in the order of work. The author's order is unchanged, and new tasks come last. If the
 * author has moved none, all tasks are sorted by title.
 */
export function arrangeTasks(
  before: readonly LibrarySnapshot[],
  chosen: readonly LibrarySnapshot[],
): readonly LibrarySnapshot[] {
  const sorted = sortLibrarySnapshotsByTitle(chosen)
  if (isSortedByTitle(before)) return sorted
  const placed = before.flatMap((one) => chosen.find((task) => task['@id'] === one['@id']) ?? [])
  return [...placed, ...sorted.filter((task) => !placed.includes(task))]
}

export const librarySnapshotIris = (all: readonly LibrarySnapshot[]): string[] => all.map((s) => s['@id'])

/** Returns a new document's method statement with the default statements (safety specification, section 4). */
export const loadDefaultMethodStatement = async (list: RecordsReader): Promise<MethodStatement> => ({
  ...EMPTY_METHOD_STATEMENT,
  defaultStatements: sortLibrarySnapshotsByTitle(
    (await list(standardStatement, { default: true, retired: false })).map(toLibrarySnapshot),
  ),
})
