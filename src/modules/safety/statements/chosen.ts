import { json } from '#kernel/fields.ts'
import { textOf } from '#kernel/text.ts'

/** Statement or task as copied into a document. */
export interface Snapshot {
  readonly '@id': string
  readonly title: string
  readonly text: string
}

export const snapshot = (s: { readonly [K in keyof Snapshot]?: unknown }): Snapshot => ({
  '@id': textOf(s['@id']),
  title: textOf(s.title),
  text: textOf(s.text),
})

/** `{defaultStatements, nonDefaultStatements, taskSelection}`: lists of `{"@id", title, text}`, copied when chosen. */
export const methodStatement = json({ inJson: 'content' })

/** Statements and tasks of a document, copied from the library. */
export interface MethodStatement {
  readonly defaultStatements: readonly Snapshot[]
  readonly nonDefaultStatements: readonly Snapshot[]
  /** Sorted by title. */
  readonly taskSelection: readonly Snapshot[]
}

export const METHOD_LISTS = ['defaultStatements', 'nonDefaultStatements', 'taskSelection'] as const

export const NOTHING_CHOSEN: MethodStatement = { defaultStatements: [], nonDefaultStatements: [], taskSelection: [] }

const list = (value: unknown): readonly Snapshot[] => (Array.isArray(value) ? (value as Snapshot[]) : [])

/** Reads a stored method statement, with defaults for missing parts. */
export function methodOf(value: unknown): MethodStatement {
  const m = (value ?? {}) as Partial<Record<keyof MethodStatement, unknown>>
  return {
    defaultStatements: list(m.defaultStatements),
    nonDefaultStatements: list(m.nonDefaultStatements),
    taskSelection: list(m.taskSelection),
  }
}

/** Statements of a document, default ones first. */
export const statementsIn = ({ defaultStatements, nonDefaultStatements }: MethodStatement): readonly Snapshot[] => [
  ...defaultStatements,
  ...nonDefaultStatements,
]

export const byTitle = (all: readonly Snapshot[]): Snapshot[] =>
  [...all].sort((a, b) => a.title.localeCompare(b.title, 'en-GB'))

export const irisOf = (all: readonly Snapshot[]): string[] => all.map((s) => s['@id'])
