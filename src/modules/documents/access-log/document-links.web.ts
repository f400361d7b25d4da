import type { DocumentTypeInfo } from '../types/type-info.ts'

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
