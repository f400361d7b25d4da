import type { NavigationEntry } from '#kernel/packs.ts'
import { DOCUMENT_ROLES, type DocumentPack } from '../rights.ts'

/** Document type data for routes and navigation, loaded before the type's other code. */
export interface DocumentTypeInfo {
  /** Name in the database, such as `risk_assessment`. */
  readonly kind: string
  /** Name as a title, such as "Risk assessment". `noun` is for use in sentences: "risk assessment". */
  readonly name: string
  readonly noun: string
  /** Plural; by default, `noun` with an s. */
  readonly nouns: string
  /** Entitlement of the type. It also decides who writes and approves the documents. */
  readonly pack: DocumentPack
  /** Paths of the list and the editor. */
  readonly screens: { readonly list: string; readonly update: string }
  /** Navigation entry for the list, with the plural as its title, such as "Risk assessments". */
  readonly nav: NavigationEntry
  /** Sources from which a document can be started, by name: the source's type and the label of the action there. */
  readonly from?: Readonly<Record<string, { readonly kind: string; readonly action: string }>>
  /** Redirects from earlier paths, each as `[earlier, current]`. */
  readonly moved?: readonly (readonly [string, string])[]
}

interface TypeInfoSpec
  extends Omit<DocumentTypeInfo, 'nav' | 'nouns' | 'pack'>,
    Partial<Pick<DocumentTypeInfo, 'nouns' | 'pack'>> {
  readonly nav: Pick<NavigationEntry, 'title' | 'icon' | 'order'> & Partial<NavigationEntry>
}

/**
 * Declares a document type's data. Each type keeps its data in a separate file, so that importing the data does not
 * load the form.
 */
export function defineDocumentTypeInfo({ pack = 'safety', ...spec }: TypeInfoSpec): DocumentTypeInfo {
  const allow = DOCUMENT_ROLES[pack].readers
  return {
    nouns: `${spec.noun}s`,
    ...spec,
    pack,
    nav: { path: spec.screens.list, area: 'Documents', allow, pack, ...spec.nav },
  }
}

interface NamedDocument {
  readonly id: number
  readonly kind: string | null
}

export const documentTypeName = (kinds: readonly DocumentTypeInfo[], kind: string | null): string =>
  kinds.find((k) => k.kind === kind)?.name ?? ''

export const documentPath = (kinds: readonly DocumentTypeInfo[], { kind, id }: NamedDocument): string => {
  const list = kinds.find((k) => k.kind === kind)?.screens.list
  return list ? `${list}/view/${id}` : '/dashboard'
}
