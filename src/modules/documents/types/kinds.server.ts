import type { Violation } from '#kernel/errors.ts'
import { type Feature, type Module, moduleOf } from '#server/engine/module.ts'
import type { Context } from '#server/engine/types.ts'
import type { DocumentKind, DocumentWords, Settled } from './kind.ts'

/** Prepares the rows of a revision for saving and fills in values from elsewhere. Throws 422 if invalid. */
export type KeptRows = (c: Context, revision: Pick<Settled, 'next' | 'before'>) => Promise<DocumentWords>

/** Returns why rows can't be sealed on completion, including rows saved before this was checked. */
export type JudgedRows = (c: Context, revision: Readonly<Record<string, unknown>>) => Promise<Violation[]>

interface DocumentTypes {
  readonly kinds?: readonly DocumentKind[]
  readonly keptRows?: Readonly<Record<string, KeptRows>>
  readonly judgedRows?: Readonly<Record<string, JudgedRows>>
}

/** A feature that may declare document types. */
export type FeatureWithTypes = Feature & DocumentTypes

/** A module that declares document types. */
export interface ModuleWithTypes extends Module, DocumentTypes {
  readonly kinds: readonly DocumentKind[]
}

type MayHaveTypes = (Feature | Module) & DocumentTypes

export const documentFeature = (f: FeatureWithTypes): FeatureWithTypes => f

/** Joins the features of a module that declares document types. */
export const moduleWithTypesOf = (name: string, features: readonly FeatureWithTypes[]): ModuleWithTypes => ({
  ...moduleOf(name, features),
  kinds: kindsOf(features),
  keptRows: Object.assign({}, ...features.map((f) => f.keptRows)),
  judgedRows: Object.assign({}, ...features.map((f) => f.judgedRows)),
})

/** Every document type that modules or features declare. */
export const kindsOf = (declaring: readonly MayHaveTypes[]): DocumentKind[] =>
  declaring.flatMap(({ kinds }) => kinds ?? [])

export interface RowRules {
  readonly keep?: KeptRows | undefined
  readonly judge?: JudgedRows | undefined
}

/** The rules of each kind, by its name. */
export function rowRulesOf(modules: readonly MayHaveTypes[]): (kind: string) => RowRules {
  const keep: Readonly<Record<string, KeptRows>> = Object.assign({}, ...modules.map((module) => module.keptRows ?? {}))
  const judge: Readonly<Record<string, JudgedRows>> = Object.assign(
    {},
    ...modules.map((module) => module.judgedRows ?? {}),
  )
  return (kind) => ({ keep: keep[kind], judge: judge[kind] })
}
