/**
 * Returns the card from a message sent by the payment page's own frame, or undefined for a message from any other
 * window.
 */
export function parseCardMessage(
  { source, data }: { readonly source: unknown; readonly data: unknown },
  frame: unknown,
): string | undefined {
  if (!frame || source !== frame) return undefined
  const said = data as { type?: unknown; card?: unknown } | null
  return said?.type === 'card' && typeof said.card === 'string' ? said.card : undefined
}
