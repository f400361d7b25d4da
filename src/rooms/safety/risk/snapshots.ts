import { textOf } from '#kernel/text.ts'

/** Protective equipment as a document keeps it: as it was when it was chosen. */
export interface PpeItem {
  readonly id: number
  readonly label: string
  /** Name of a drawing: `M014`. */
  readonly image: string
  readonly iso7010: string | null
}

interface Known {
  readonly id: number
  readonly name: string | null
  readonly image: string | null
}

/** The items of the chosen ids: as they were kept, or else as the library has them now. */
export const ppeItems = (ids: readonly number[], library: readonly Known[], kept: readonly PpeItem[]): PpeItem[] =>
  ids.flatMap((id) => {
    const was = kept.find((k) => k.id === id)
    if (was) return [was]
    const now = library.find((p) => p.id === id)
    const image = now?.image ?? ''
    return now ? [{ id, label: now.name ?? '', image, iso7010: /^[A-Z]\d{3}$/.test(image) ? image : null }] : []
  })

/** A statement or task as a document keeps it. */
export interface Snapshot {
  readonly '@id': string
  readonly title: string
  readonly text: string
}

/** A record of the library as it is kept. */
export const snapshot = (s: { readonly [K in keyof Snapshot]?: unknown }): Snapshot => ({
  '@id': textOf(s['@id']),
  title: textOf(s.title),
  text: textOf(s.text),
})

export interface MethodStatement {
  readonly defaultStatements: readonly Snapshot[]
  readonly nonDefaultStatements: readonly Snapshot[]
  /** Sorted by title. */
  readonly taskSelection: readonly Snapshot[]
}

export const METHOD_LISTS = ['defaultStatements', 'nonDefaultStatements', 'taskSelection'] as const

const list = (value: unknown): readonly Snapshot[] => (Array.isArray(value) ? (value as Snapshot[]) : [])

/** What is kept of a method statement, whatever of it is missing. */
export function methodOf(value: unknown): MethodStatement {
  const m = (value ?? {}) as Partial<Record<keyof MethodStatement, unknown>>
  return {
    defaultStatements: list(m.defaultStatements),
    nonDefaultStatements: list(m.nonDefaultStatements),
    taskSelection: list(m.taskSelection),
  }
}

export const byTitle = (all: readonly Snapshot[]): Snapshot[] =>
  [...all].sort((a, b) => a.title.localeCompare(b.title, 'en-GB'))

export const irisOf = (all: readonly Snapshot[]): string[] => all.map((s) => s['@id'])
