interface PendingQuestion {
  readonly answer: Promise<boolean>
  readonly settle: (answer: boolean) => void
}

/**
 * Creates a question for the signed-in person, which the shell shows in a dialog. All requests that wait for an answer
 * to the same question share one dialog.
 */
export function createPrompt() {
  let asked: PendingQuestion | undefined
  const listeners = new Set<() => void>()
  const become = (next: PendingQuestion | undefined) => {
    asked = next
    for (const l of listeners) l()
  }
  return {
    isAsked: (): boolean => asked !== undefined,
    subscribe: (l: () => void) => {
      listeners.add(l)
      return () => void listeners.delete(l)
    },
    /** Asks the question. Resolves to true once the person has answered, and to false if they decline. */
    ask: (): Promise<boolean> => {
      if (asked) return asked.answer
      const { promise, resolve } = Promise.withResolvers<boolean>()
      become({ answer: promise, settle: resolve })
      return promise
    },
    settle: (answer: boolean): void => {
      asked?.settle(answer)
      become(undefined)
    },
  }
}
