/** Returns the card from a message of the payment page's own frame; undefined for messages of any other window. */
export function parseCardMessage(
  { source, data }: { readonly source: unknown; readonly data: unknown },
  frame: unknown,
): string | undefined {
  if (!frame || source !== frame) return undefined
  const said = data as { type?: unknown; card?: unknown } | null
  return said?.type === 'card' && typeof said.card === 'string' ? said.card : undefined
}
