import type { Violation } from '#kernel/errors.ts'
import { type Feature, joinFeatures, type Module } from '#server/engine/module.ts'
import type { Route } from '#server/engine/route.ts'
import type { Context, RecordReader } from '#server/engine/types.ts'
import type { DocumentContent, DocumentKind, RevisionToSave } from './kind.ts'

/** Prepares a revision's rows for saving and fills in values from elsewhere. Throws 422 if the rows are invalid. */
export type RowPreparer = (c: Context, revision: Pick<RevisionToSave, 'next' | 'before'>) => Promise<DocumentContent>

/**
 * Returns the reasons why rows can't be sealed on completion. This includes rows that were saved before this check
 * existed.
 */
export type RowValidator = (c: Context, revision: Readonly<Record<string, unknown>>) => Promise<Violation[]>

/** Statement of a document and the topic under which it stands, such as a control and its hazard. */
export interface DocumentFact {
  /** ID of the document. */
  readonly document: number
  readonly topic: string
  readonly statement: string
}

/** How questions are composed from the documents of a type. */
export interface DocumentFacts {
  readonly load: (reader: RecordReader, ids: readonly number[]) => Promise<readonly DocumentFact[]>
  readonly ask: (topic: string) => string
}

/** Value for a type whose questions are about the documents to which it refers. */
export const FACTS_OF_PARTS = 'facts of its parts'

interface DocumentTypes {
  readonly kinds?: readonly DocumentKind[]
  readonly keptRows?: Readonly<Record<string, RowPreparer>>
  readonly judgedRows?: Readonly<Record<string, RowValidator>>
  /** Statements by which a document type's readers are asked questions before signing, by type. */
  readonly facts?: Readonly<Record<string, DocumentFacts | typeof FACTS_OF_PARTS>>
}

export type FeatureWithDocumentTypes = Feature & DocumentTypes

export interface ModuleWithDocumentTypes extends Module, DocumentTypes {
  readonly kinds: readonly DocumentKind[]
}

type MayHaveTypes = (Feature | Module) & DocumentTypes

export const defineDocumentFeature = (f: FeatureWithDocumentTypes): FeatureWithDocumentTypes => f

/** Combines features into a module that declares document types. */
export const buildModuleWithDocumentTypes = (
  name: string,
  features: readonly FeatureWithDocumentTypes[],
): ModuleWithDocumentTypes => ({
  ...joinFeatures(name, features),
  kinds: collectDocumentKinds(features),
  keptRows: Object.assign({}, ...features.map((f) => f.keptRows)),
  judgedRows: Object.assign({}, ...features.map((f) => f.judgedRows)),
  facts: Object.assign({}, ...features.map((f) => f.facts)),
})

export const collectDocumentKinds = (declaring: readonly MayHaveTypes[]): DocumentKind[] =>
  declaring.flatMap(({ kinds }) => kinds ?? [])

/** Returns routes of each type, which belong to the type's entitlement. */
export const routesOfKinds = (
  kinds: readonly DocumentKind[],
  routesOf: (kind: DocumentKind) => readonly Route[],
): readonly Route[] => kinds.flatMap((kind) => routesOf(kind).map((route) => ({ ...route, pack: kind.pack })))

export interface RowHooks {
  readonly keep?: RowPreparer | undefined
  readonly judge?: RowValidator | undefined
}

/** Returns a function that finds the row hooks of a document type. */
export function createRowHooksLookup(modules: readonly MayHaveTypes[]): (kind: string) => RowHooks {
  const keep: Readonly<Record<string, RowPreparer>> = Object.assign(
    {},
    ...modules.map((module) => module.keptRows ?? {}),
  )
  const judge: Readonly<Record<string, RowValidator>> = Object.assign(
    {},
    ...modules.map((module) => module.judgedRows ?? {}),
  )
  return (kind) => ({ keep: keep[kind], judge: judge[kind] })
}

/** Returns the facts of a document type by which questions are composed; undefined for a type without such facts. */
export type FactsLookup = (kind: string) => DocumentFacts | typeof FACTS_OF_PARTS | undefined

/** Returns a function that finds the facts of a document type. */
export function createFactsLookup(modules: readonly MayHaveTypes[]): FactsLookup {
  const facts: NonNullable<DocumentTypes['facts']> = Object.assign({}, ...modules.map((module) => module.facts ?? {}))
  return (kind) => facts[kind]
}
