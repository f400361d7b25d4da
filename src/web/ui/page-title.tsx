import { Title } from '@mantine/core'
import { type ReactNode, use } from 'react'
import { NamedIcon } from './icons.ts'
import { PageIconContext } from './page-sign.ts'
import css from './page-title.module.css'

/** The only heading of a page, with the icon of its screen type; the shell moves the focus to it after navigation. */
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
