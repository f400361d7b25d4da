/** The card that the payment page's own frame says it has taken; nothing for what any other window says. */
export function cardOf(
  { source, data }: { readonly source: unknown; readonly data: unknown },
  frame: unknown,
): string | undefined {
  if (!frame || source !== frame) return undefined
  const said = data as { type?: unknown; card?: unknown } | null
  return said?.type === 'card' && typeof said.card === 'string' ? said.card : undefined
}
