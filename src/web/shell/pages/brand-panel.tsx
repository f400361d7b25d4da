import css from './brand-panel.module.css'
import { useProviderName } from './facts.ts'
import { ProductLogo } from './mark.tsx'

const POSTS = [40, 160, 280, 400, 520]

/** Brand panel beside the sign-in form: stanchions with a chain between them. */
export const BrandPanel = () => (
  <header className={css.panel}>
    <p className={css.brand}>
      <ProductLogo size={40} />
      {useProviderName()}
    </p>
    <p className={css.words}>Safety, people and sales for your business, in one place.</p>
    <svg className={css.picture} viewBox="0 0 560 220" aria-hidden="true" focusable="false">
      {POSTS.slice(1).map((x) => (
        <path key={x} className={css.chain} d={`M${x - 120} 62 Q${x - 60} 130 ${x} 62`} />
      ))}
      {POSTS.map((x) => (
        <path key={x} className={css.post} d={`M${x - 22} 40h44v10h-15v140h15v10h-44v-10h15V50h-15z`} />
      ))}
    </svg>
  </header>
)
