import { useActor } from '#web/api/me.ts'
import { useApiRecord, useList } from '#web/api/resources.ts'
import { ErrorState, LoadingRows } from '#web/ui/states.tsx'
import { client } from '../clients/client.ts'
import { letterhead } from './letterhead.ts'
import { LetterheadLines } from './lines.web.tsx'
import { LetterheadLogo } from './logo.web.tsx'

/** Layout of a company's documents: the logo, and the lines with a sample page. */
export function LetterheadLayout() {
  const { clientId } = useActor()
  const company = useApiRecord(client, clientId)
  const heads = useList(letterhead)
  const failed = [company, heads].find((q) => q.isError)
  if (failed) return <ErrorState error={failed.error} onRetry={() => void failed.refetch()} />
  if (!(company.data && heads.data)) return <LoadingRows rows={6} />
  const [head] = heads.data['hydra:member']
  return (
    <>
      <LetterheadLogo head={head} company={company.data.company ?? ''} />
      <LetterheadLines head={head} />
    </>
  )
}
