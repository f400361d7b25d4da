import type { DocumentKind } from './kind.ts'

export function notificationLink(
  kinds: readonly DocumentKind[],
  kind: string | undefined | null,
  id: number | undefined,
): string {
  const screens = kinds.find((one) => one.kind === kind)?.screens
  return screens && id ? `${screens.list}/view/${id}` : '/dashboard'
}

/** Name of the document in the notification. */
export const documentName = (
  doc: { documentNumber?: string | null; title?: string | null } | null | undefined,
): string => `${doc?.documentNumber ?? ''} ${doc?.title || 'Untitled'}`.trim()
