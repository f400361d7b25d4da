import { Alert } from '@mantine/core'
import { packRefusal, packState } from '#kernel/packs.ts'
import { useActor } from '../../api/me.ts'
import { usePage } from './known-pages.ts'

/** Banner on pages of a lapsed pack: explains why nothing can be changed. */
export function LapsedPackBanner() {
  const actor = useActor()
  const pack = usePage()?.pack
  if (packState(actor, pack) !== 'lapsed') return null
  return (
    <Alert color="yellow" mb="md" role="status">
      {packRefusal(actor, pack)}
    </Alert>
  )
}
