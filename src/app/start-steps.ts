/** What a start tells whoever has begun it: `scripts/start.mjs` prints it. */
type News = { readonly begins: string } | { readonly share: number } | { readonly says: string }

const tell = (news: News) => process.send?.(news)

/** Begins a step; the one before it has ended. */
export const beginStep = (name: string): void => void tell({ begins: name })

/** How much of the step is done, from 0 to 1. */
export const moveStep = (share: number): void => void tell({ share })

/** Prints what the portal's operator must know, after all steps. */
export function print(text: string): void {
  if (!tell({ says: text })) process.stdout.write(text)
}
