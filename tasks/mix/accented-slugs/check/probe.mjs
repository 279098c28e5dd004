// Makes slugs of titles in their four normal forms.
import { serve, tree } from './fairtrial-probe.mjs'

const { slug, uniqueSlug } = await import(tree('src/index.js'))

serve({
  plain: (title) => slug(title),
  forms: (title) => ['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => slug(title.normalize(form))),
  unique: (title, taken) => uniqueSlug(title, (one) => taken.includes(one))
})
