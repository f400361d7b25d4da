/**
 * Awaits all promises, then throws the first rejection in argument order. This ensures that no query is still running
 * when the transaction ends, and that the most important error is thrown.
 */
export async function settleAll<T extends readonly unknown[]>(
  ...all: { readonly [K in keyof T]: T[K] | Promise<T[K]> }
): Promise<T> {
  const settled = await Promise.allSettled(all)
  return settled.map((one) => {
    if (one.status === 'rejected') throw one.reason
    return one.value
  }) as readonly unknown[] as T
}
