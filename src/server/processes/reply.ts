/** Message from a worker, with the memory in bytes that its process holds. */
export type Reply<Answer> = { readonly memory: number } & ({ readonly answer: Answer } | { readonly error: string })

/** Signal with which a worker ends itself above its memory limit. */
export const TOO_MUCH_MEMORY = 'SIGUSR2'
