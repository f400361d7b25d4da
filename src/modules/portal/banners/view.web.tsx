import { Anchor, CloseButton } from '@mantine/core'
import { IconInfoCircle, IconSpeakerphone } from '@tabler/icons-react'
import { Link } from 'react-router'
import page from '#web/ui/page.module.css'
import { useFileUrl } from '#web/uploads/fetch.ts'
import css from './banner.module.css'

/** A banner as the API returns it to the users who see it. */
export interface VisibleBanner {
  readonly kind: 'info' | 'promo'
  readonly title: string
  readonly message: string
  readonly linkTo: string
  readonly linkWords: string
  readonly image: string | null
  readonly imageText: string
}

interface Props {
  readonly banner: VisibleBanner
  readonly onHide?: () => void
}

const SIGNS = { info: IconInfoCircle, promo: IconSpeakerphone } as const

/** A displayed banner: icon or picture, text and link. */
export function BannerView({ banner: b, onHide }: Props) {
  const Sign = SIGNS[b.kind]
  const words = b.title || b.message || b.imageText
  return (
    <section className={css.banner} data-kind={b.kind} aria-label={b.kind === 'info' ? 'Information' : 'Promotion'}>
      {b.image ? <Picture at={b.image} says={b.imageText} /> : <Sign size={28} className={css.sign} aria-hidden />}
      <div className={css.words}>
        {b.title && <strong className={css.title}>{b.title}</strong>}
        {b.message && <p className={css.message}>{b.message}</p>}
        {b.linkTo && b.linkWords && <Where to={b.linkTo}>{b.linkWords}</Where>}
      </div>
      {onHide && <CloseButton size="lg" aria-label={`Hide: ${words}`} onClick={onHide} />}
    </section>
  )
}

const Where = ({ to, children }: { readonly to: string; readonly children: string }) =>
  to.startsWith('/') ? (
    <Anchor component={Link} to={to} className={page.alone}>
      {children}
    </Anchor>
  ) : (
    <Anchor href={to} target="_blank" rel="noreferrer" className={page.alone}>
      {children}
    </Anchor>
  )

function Picture({ at, says }: { readonly at: string; readonly says: string }) {
  const { url, failed } = useFileUrl(at)
  if (failed) return says ? <span>{says}</span> : null
  return <div className={css.picture}>{url && <img src={url} alt={says} />}</div>
}
