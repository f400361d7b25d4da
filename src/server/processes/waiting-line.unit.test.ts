import { expect, test } from 'vitest'
import { FairQueue, type TaskLimits } from './waiting-line.ts'

interface NamedTask {
  readonly name: string
  readonly owner: { readonly client: string; readonly person: string }
}

/** A queue with tasks such as `brick ann 1`: the client, the person and a number. */
function queueOf(limits: TaskLimits, ...names: string[]): FairQueue<NamedTask> {
  const queue = new FairQueue<NamedTask>(limits)
  for (const name of names) {
    const [client = '', person = ''] = name.split(' ')
    queue.add({ name, owner: { client, person } })
  }
  return queue
}

/** Takes tasks until none may start. */
function takeAll(queue: FairQueue<NamedTask>): NamedTask[] {
  const task = queue.take()
  return task ? [task, ...takeAll(queue)] : []
}
const namesOf = (tasks: readonly NamedTask[]) => tasks.map(({ name }) => name)

test('a person’s tasks start only up to the limit, and a colleague’s task starts immediately', () => {
  const queue = queueOf({ client: 2, person: 1 }, 'brick ann 1', 'brick ann 2', 'brick ann 3', 'brick bob 1')
  expect(namesOf(takeAll(queue))).toEqual(['brick ann 1', 'brick bob 1'])
})

test('a client’s tasks start only up to the limit, and another client’s task starts immediately', () => {
  const queue = queueOf({ client: 2, person: 1 }, 'brick ann 1', 'brick bob 1', 'brick cat 1', 'care dan 1')
  expect(namesOf(takeAll(queue))).toEqual(['brick ann 1', 'care dan 1', 'brick bob 1'])
})

test('the people of one client take turns, and so do the clients', () => {
  const queue = queueOf(
    { client: 1, person: 1 },
    'brick ann 1',
    'brick ann 2',
    'brick ann 3',
    'brick bob 1',
    'care dan 1',
    'care dan 2',
  )
  const order: string[] = []
  for (let task = queue.take(); task; task = queue.take()) {
    order.push(task.name)
    queue.finish(task.owner)
  }
  expect(order).toEqual(['brick ann 1', 'care dan 1', 'brick bob 1', 'care dan 2', 'brick ann 2', 'brick ann 3'])
})

test('a finished task makes room for the next one of its person', () => {
  const queue = queueOf({ client: 2, person: 1 }, 'brick ann 1', 'brick ann 2')
  const [first] = takeAll(queue)
  queue.finish(first!.owner)
  expect(namesOf(takeAll(queue))).toEqual(['brick ann 2'])
})

test('waiting tasks are counted for a client and for a person', () => {
  const queue = queueOf({ client: 1, person: 1 }, 'brick ann 1', 'brick ann 2', 'brick bob 1', 'care dan 1')
  expect(queue.lengthOf({ client: 'brick', person: 'ann' })).toEqual({ client: 3, person: 2 })
})
