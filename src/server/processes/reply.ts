/** Message from a worker, with the memory in bytes that its process holds. */
export type WorkerReply<Answer> = { readonly memory: number } & (
  | { readonly answer: Answer }
  | { readonly error: string }
)

/** Signal with which a worker ends itself above its memory limit. */
export const MEMORY_LIMIT_SIGNAL = 'SIGUSR2'
