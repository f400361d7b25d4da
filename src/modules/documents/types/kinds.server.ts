import type { Violation } from '#kernel/errors.ts'
import type { Module } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import type { DocumentKind, DocumentWords, Settled } from './kind.ts'

/** What becomes of the rows of a revision before they are kept: what is known elsewhere comes from there. Throws 422 for what can't be. */
export type KeptRows = (c: Context, revision: Pick<Settled, 'next' | 'before'>) => Promise<DocumentWords>

/** What of the rows of a revision can't be sealed, as it is completed: also of what was kept before it was judged. */
export type JudgedRows = (c: Context, revision: Readonly<Record<string, unknown>>) => Promise<Violation[]>

/** The face of an area that declares kinds of controlled document. */
export interface ModuleWithTypes extends Module {
  readonly kinds: readonly DocumentKind[]
  /** By kind. */
  readonly keptRows?: Readonly<Record<string, KeptRows>>
  readonly judgedRows?: Readonly<Record<string, JudgedRows>>
}

/** Every kind, from the faces of the areas that declare them. */
export const kindsOf = (modules: readonly (Module & Partial<ModuleWithTypes>)[]): DocumentKind[] =>
  modules.flatMap((module) => module.kinds ?? [])

/** The rules of its own that a kind has for its rows. */
export interface RowRules {
  readonly keep?: KeptRows | undefined
  readonly judge?: JudgedRows | undefined
}

/** The rules of each kind, by its name, from the faces of the areas. */
export function rowRulesOf(modules: readonly (Module & Partial<ModuleWithTypes>)[]): (kind: string) => RowRules {
  const keep: Readonly<Record<string, KeptRows>> = Object.assign({}, ...modules.map((module) => module.keptRows ?? {}))
  const judge: Readonly<Record<string, JudgedRows>> = Object.assign(
    {},
    ...modules.map((module) => module.judgedRows ?? {}),
  )
  return (kind) => ({ keep: keep[kind], judge: judge[kind] })
}
