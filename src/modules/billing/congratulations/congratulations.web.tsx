import { Button, Text } from '@mantine/core'
import { useState } from 'react'
import { idFromAnyIri } from '#kernel/iri.ts'
import { useApiRecord } from '#web/api/resources.ts'
import type { NoticeDialogProps } from '#web/shell/manifest/module.ts'
import { Dialog } from '#web/ui/dialog.tsx'
import { useFileUrl } from '#web/uploads/fetch.ts'
import { useIsProviderStaff } from '../billing-urls.web.ts'
import { quote } from '../quotes/quote.ts'
import css from './applause.module.css'

const RAYS = Array.from({ length: 12 }, (_, n) => n * 30)

/** Built-in animation with a few movements, or with none if the user prefers reduced motion. */
function Drawn() {
  return (
    <svg className={css.drawn} viewBox="0 0 200 180" aria-hidden>
      {RAYS.map((degrees) => (
        <g key={degrees} className={css.ray} transform={`rotate(${degrees} 100 90)`}>
          <line x1="100" y1="28" x2="100" y2="10" />
        </g>
      ))}
      <circle className={css.medal} cx="100" cy="90" r="48" />
      <path className={css.tick} d="M78 91 L94 107 L124 74" />
    </svg>
  )
}

interface Props {
  /** Description of the sale, as a sentence. */
  readonly sold: string
  readonly onClose: () => void
}

/** Dialog that congratulates the seller in varying words (specification, section 1). */
export default function CongratulationsDialog({ sold, onClose }: Props) {
  const [title] = useState(() => pickRandom(CONGRATULATION_TITLES, Math.random()))
  const [message] = useState(() => pickRandom(CONGRATULATION_MESSAGES, Math.random()))
  const still = matchMedia('(prefers-reduced-motion: reduce)').matches
  const { url } = useFileUrl(still ? undefined : '/api/financial/applause')
  const [broken, setBroken] = useState(false)
  return (
    <Dialog opened onClose={onClose} title={title} size={400}>
      <div className={css.said}>
        <Text>{sold}</Text>
        <div className={css.picture}>
          {url && !broken ? <img src={url} alt="" onError={() => setBroken(true)} /> : <Drawn />}
        </div>
        <Text mb="md">{message}</Text>
        <Button onClick={onClose} data-autofocus>
          Continue
        </Button>
      </div>
    </Dialog>
  )
}

/** Congratulates the seller as soon as the customer's acceptance is notified, whatever page is open. */
export function AcceptanceCongratulations({ words, about, onClose }: NoticeDialogProps) {
  const isStaff = useIsProviderStaff()
  const state = useApiRecord(quote, idFromAnyIri(about)).data?.state
  return isStaff && state === 'accepted' ? <CongratulationsDialog sold={`${words}.`} onClose={onClose} /> : null
}

const CONGRATULATION_TITLES = ['Well done!', 'Sold!', 'That’s a sale!', 'Splendid!', 'Good call!', 'Bravo!'] as const

const CONGRATULATION_MESSAGES = [
  'One more company in good hands.',
  'They said yes, and you made the call.',
  'That was worth every call before it.',
  'Take a breath, have a tea, then call the next one.',
  'Somebody will work more safely because you called.',
  'Go and ring the sales bell.',
] as const

/** Picks an item, using a random number from 0 (inclusive) to 1 (exclusive). */
const pickRandom = <T,>(all: readonly [T, ...T[]], random: number): T =>
  all[Math.min(all.length - 1, Math.floor(random * all.length))] ?? all[0]
