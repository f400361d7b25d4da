import { serveTasks } from '#server/processes/serve-orders.ts'

export type TestTask =
  | { readonly do: 'answer'; readonly with: string }
  | { readonly do: 'fail' | 'say environment' }
  /** `wait` leaves the worker's thread free; `spin` blocks it. */
  | { readonly do: 'wait' | 'spin'; readonly ms: number }
  /** Blocks the worker's thread and allocates this many bytes of memory. */
  | { readonly do: 'take'; readonly bytes: number }
  | { readonly do: 'crash' }

const SPIN_MS = 60_000

serveTasks(async (order: TestTask): Promise<string> => {
  switch (order.do) {
    case 'answer':
      return order.with
    case 'fail':
      throw new Error('a sentence of its own')
    case 'say environment':
      return Object.keys(process.env).join()
    case 'wait':
      await new Promise((done) => setTimeout(done, order.ms))
      return 'waited'
    case 'spin':
      return spin(order.ms)
    case 'take':
      return `${Buffer.alloc(order.bytes, 1).length} ${spin(SPIN_MS)}`
    case 'crash':
      process.kill(process.pid, 'SIGSEGV')
      return spin(SPIN_MS)
  }
})

function spin(ms: number): string {
  for (const end = performance.now() + ms; performance.now() < end; );
  return 'span'
}
