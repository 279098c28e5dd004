export { slug } from './slug.js'
export { uniqueSlug } from './unique.js'
