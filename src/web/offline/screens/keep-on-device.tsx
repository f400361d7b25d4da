import { Button, Text } from '@mantine/core'
import { useNetwork } from '@mantine/hooks'
import { IconDeviceMobileDown } from '@tabler/icons-react'
import { hashKey, type QueryKey, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { queryClient } from '../../api/query.ts'
import { session } from '../../api/session.ts'
import { formatIsoAsUkDate } from '../../dates/uk-dates.ts'
import { ErrorText } from '../../ui/error-text.tsx'
import { useSingleFlight } from '../../ui/use-single-flight.ts'
import { CACHE_LIMITS } from '../cache-rules.ts'
import { readCachedResponse } from '../cache-store.ts'
import { offlineOwnerOf } from '../owner.ts'

/** Record or file that can be stored on this device, with the query that loads it. */
export interface StorableItem {
  readonly name: string
  readonly query: {
    readonly queryKey: QueryKey
    readonly queryFn: (context: { readonly signal: AbortSignal }) => Promise<unknown>
  }
}

interface Props {
  readonly items: readonly StorableItem[]
  /** Name of the thing to which the items belong, such as “pack”. */
  readonly noun: string
}

/** Number of times that the storage is read, and the pause between, until it has what was fetched. */
const READS = { times: 20, pauseMs: 250 } as const

/** Time in milliseconds within which the browser starts the portal's service worker, at a first visit too. */
const WORKER_READY_MS = 15_000

/** Returns the names of the items that are not stored, and the time when the oldest was read, in ms since 1970. */
async function findStored(items: readonly StorableItem[]) {
  const owner = offlineOwnerOf(session.me())
  if (owner === undefined) return undefined
  const found = await Promise.all(
    items.map(async ({ name, query }) => ({
      name,
      at: (await readCachedResponse(owner, hashKey(query.queryKey), Date.now()))?.at,
    })),
  )
  return {
    missing: found.flatMap(({ name, at }) => (at === undefined ? [name] : [])),
    oldest: Math.min(...found.map(({ at = Date.now() }) => at)),
  }
}

/** Stores all of the portal's screens on this device. Resolves to false if the browser can't open them later. */
async function storeScreens(): Promise<boolean> {
  const ready = navigator.serviceWorker?.ready
  const late = new Promise<undefined>((done) => setTimeout(done, WORKER_READY_MS, undefined))
  const worker = (await Promise.race([ready, late]))?.active
  if (!worker) return false
  return new Promise((done) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = ({ data }) => done(data === true)
    worker.postMessage('keep all', [port2])
  })
}

async function storeItems(items: readonly StorableItem[]): Promise<string | undefined> {
  if (!(await storeScreens()))
    return 'The portal’s screens could not be stored on this device. Check the connection and try again. If this fails, read everything while you are online.'
  const failed: string[] = []
  for (const { name, query } of items)
    await queryClient.fetchQuery({ ...query, staleTime: 0, retry: false }).catch(() => failed.push(name))
  let missing = items.map(({ name }) => name)
  for (let n = 0; n < READS.times && missing.length > failed.length; n++) {
    await new Promise((later) => setTimeout(later, READS.pauseMs))
    missing = (await findStored(items))?.missing ?? missing
  }
  if (!missing.length) return undefined
  return failed.length
    ? `${failed.join(', ')} could not be loaded. Check the connection and try again.`
    : `${missing.join(', ')} could not be stored on this device, because there is no space or the file is too large. Read it while you have a connection.`
}

/**
 * States whether everything that a page refers to can be opened without a connection, with a button that stores it on
 * this device.
 */
export default function KeepOnDevice({ items, noun }: Props) {
  const { online } = useNetwork()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const found = useQuery({
    queryKey: ['stored on this device', items.map(({ query }) => hashKey(query.queryKey))],
    queryFn: async () => (await findStored(items)) ?? null,
    networkMode: 'always',
    staleTime: 0,
    gcTime: 0,
  })
  const keep = useSingleFlight(async () => {
    setBusy(true)
    setProblem(
      await storeItems(items).catch(
        () => `This browser can’t store anything on this device. Read the ${noun} while you are online.`,
      ),
    )
    await found.refetch()
    setBusy(false)
  })
  if (!found.data || !items.length) return null
  const { missing, oldest } = found.data
  const until = formatIsoAsUkDate(new Date(oldest + CACHE_LIMITS.ageMs).toISOString().slice(0, 10))
  const many = items.length === 1 ? missing[0] : `${missing.length} of the ${items.length} documents and files`
  return (
    <div>
      <Text size="sm" role="status">
        {missing.length === 0
          ? `Stored on this device: you can read the whole ${noun} without a connection until ${until}.`
          : online
            ? `Without a connection, ${many} can’t be opened. If you are going where there is no signal, store the ${noun} on this device first.`
            : `Not stored on this device: ${missing.join(', ')}. You can read and sign the ${noun} when the connection is back.`}
      </Text>
      {problem && <ErrorText>{problem}</ErrorText>}
      {missing.length > 0 && online && (
        <Button
          variant="default"
          mt="xs"
          loading={busy}
          leftSection={<IconDeviceMobileDown size={16} aria-hidden />}
          onClick={() => void keep()}
        >
          Store on this device
        </Button>
      )}
    </div>
  )
}
