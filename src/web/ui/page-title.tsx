import { Title } from '@mantine/core'
import { type ReactNode, use } from 'react'
import { NamedIcon } from './icons.ts'
import { PageIconContext } from './page-sign.ts'
import css from './page-title.module.css'

/**
 * Main heading of a page, with the icon of its screen type. A page has only one. The shell moves the focus to this
 * heading after navigation.
 */
export function PageTitle({ children, ...rest }: { children: ReactNode; id?: string }) {
  const sign = use(PageIconContext)
  return (
    <Title order={1} tabIndex={-1} data-page-title className={css.title ?? ''} {...rest}>
      {sign && (
        <span className={css.sign} aria-hidden>
          <NamedIcon name={sign} size={24} stroke={1.75} />
        </span>
      )}
      <span className={css.words}>{children}</span>
    </Title>
  )
}
