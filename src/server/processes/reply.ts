/** What a worker sends back, with the memory in bytes that its process holds then. */
export type Reply<Answer> = { readonly memory: number } & ({ readonly answer: Answer } | { readonly error: string })

/** What a worker ends itself by when it holds more than it may. */
export const TOO_MUCH_MEMORY = 'SIGUSR2'
