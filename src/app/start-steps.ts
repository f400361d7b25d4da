/** Message to the parent process about start-up progress. `scripts/start.mjs` prints it. */
type News = { readonly begins: string } | { readonly share: number } | { readonly says: string }

const tell = (news: News) => process.send?.(news)

/** Begins a step and ends the previous one. */
export const beginStartupStep = (name: string): void => void tell({ begins: name })

/** Reports the progress of the current step, from 0 to 1. */
export const reportStartupProgress = (share: number): void => void tell({ share })

/** Prints a message for the operator, after all start-up steps. */
export function printToOperator(text: string): void {
  if (!tell({ says: text })) process.stdout.write(text)
}
