/** A question to the person at work: are you still you? Answered by a dialog of the shell. */
interface Asked {
  readonly answer: Promise<boolean>
  readonly settle: (proved: boolean) => void
}

let asked: Asked | undefined
const listeners = new Set<() => void>()
const become = (next: Asked | undefined) => {
  asked = next
  for (const l of listeners) l()
}

/** What the server guards is refused until its person proves once more who they are: one question at a time. */
export const proof = {
  isAsked: (): boolean => asked !== undefined,
  subscribe: (l: () => void) => {
    listeners.add(l)
    return () => void listeners.delete(l)
  },
  /** True once it is proved, false when the person would rather not. */
  ask: (): Promise<boolean> => {
    if (!asked) {
      const { promise, resolve } = Promise.withResolvers<boolean>()
      become({ answer: promise, settle: resolve })
    }
    return (asked as Asked).answer
  },
  settle: (proved: boolean): void => {
    asked?.settle(proved)
    become(undefined)
  },
}
