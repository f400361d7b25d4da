/**
 * The values of all. Waits for every one before it throws what the first of them in this order was refused for: a transaction that
 * ends has nothing left to ask, and who is refused hears of the most important.
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
