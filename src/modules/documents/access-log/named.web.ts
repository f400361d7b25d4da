import type { KindFace } from '../types/type-info.ts'

interface Named {
  readonly id: number
  readonly kind: string | null
}

export const kindNamed = (kinds: readonly KindFace[], kind: string | null): string =>
  kinds.find((k) => k.kind === kind)?.name ?? ''

/** The page on which a document is read. */
export const pathTo = (kinds: readonly KindFace[], { kind, id }: Named): string => {
  const list = kinds.find((k) => k.kind === kind)?.screens.list
  return list ? `${list}/view/${id}` : '/dashboard'
}
